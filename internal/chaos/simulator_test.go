package chaos

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// simulator refreshes, plans and applies configurations with acctest.Protocol, and
// keeps a state, for tests with thousands of applies. Like Terraform's core, it checks
// each plan and each result, and records violations as defects.
type simulator struct {
	state     map[string]instance                // by address
	warnings  map[string][]*tfprotov6.Diagnostic // of the last creation or update, by address
	defects   []string
	arguments map[string]tftypes.Value // arguments of the provider block
	t         testing.TB
}

// resourceConfig is a resource in a configuration. Missing arguments are null.
type resourceConfig struct {
	Type      string
	Arguments map[string]tftypes.Value
}

type instance struct {
	resource string
	value    tftypes.Value
}

// newSimulator returns a simulator with an empty state. arguments are additional
// arguments of the provider block.
func newSimulator(t testing.TB, w *acctest.Env, arguments map[string]tftypes.Value) *simulator {
	yes := tftypes.NewValue(tftypes.Bool, true)
	all := map[string]tftypes.Value{
		"base_url": acctest.Text(w.URL), "api_key": acctest.Text(w.AdminKey), "skip_credentials_validation": yes,
		"skip_account_validation": yes, // tests may delete everything by hand
	}
	maps.Copy(all, arguments)
	return &simulator{state: map[string]instance{}, warnings: map[string][]*tfprotov6.Diagnostic{}, arguments: all, t: t}
}

// provider returns a new provider, because Terraform starts a process for each step.
func (s *simulator) provider() *acctest.Protocol {
	s.t.Helper()
	p := acctest.NewProtocol(s.t)
	p.Configure(s.arguments)
	return p
}

// keys returns the identity keys of an object in the state.
func (s *simulator) keys(address string) map[string]string {
	return acctest.NewProtocol(s.t).Strings(s.state[address].value)
}

// TakeDefects returns the defects since the last call.
func (s *simulator) TakeDefects() []string {
	defects := s.defects
	s.defects = nil
	return defects
}

func (s *simulator) defect(format string, arguments ...any) {
	s.defects = append(s.defects, fmt.Sprintf(format, arguments...))
}

// Apply refreshes the state and applies a configuration. It returns the errors by
// address.
func (s *simulator) Apply(config map[string]resourceConfig) map[string]string {
	s.t.Helper()
	return s.plan(config, true).apply()
}

// mustApply applies a configuration, and fails the test if there is an error.
func (s *simulator) mustApply(config map[string]resourceConfig) {
	s.t.Helper()
	if errors := s.Apply(config); len(errors) > 0 {
		s.t.Fatal(errors)
	}
}

// savedPlan is a plan that can be applied later.
type savedPlan struct {
	*simulator
	changes []change
	errors  map[string]string // by address
}

// change is the plan for one resource.
type change struct {
	address string
	config  resourceConfig // the type is empty if the resource is deleted
	planned tftypes.Value
	replace bool
	differs []string // names of the attributes of an existing object that change to a known value
}

// plan plans a configuration, after a refresh if that is wanted.
func (s *simulator) plan(config map[string]resourceConfig, refresh bool) savedPlan {
	s.t.Helper()
	p, plan := s.provider(), savedPlan{s, nil, map[string]string{}}
	if refresh {
		s.refresh(p, plan.errors)
	}
	addresses := slices.Concat(slices.Collect(maps.Keys(config)), slices.Collect(maps.Keys(s.state)))
	slices.Sort(addresses)
	for _, address := range slices.Compact(addresses) {
		if plan.errors[address] != "" {
			continue
		}
		change, text := s.planOne(p, address, config[address])
		if text != "" {
			plan.errors[address] = text
		} else if change != nil {
			plan.changes = append(plan.changes, *change)
		}
	}
	return plan
}

func (s *simulator) refresh(p *acctest.Protocol, errors map[string]string) {
	s.t.Helper()
	for _, address := range slices.Sorted(maps.Keys(s.state)) {
		resource := s.state[address].resource
		resp, err := p.ReadResource(s.t.Context(), &tfprotov6.ReadResourceRequest{TypeName: resource, CurrentState: p.Dynamic(s.state[address].value)})
		if err != nil {
			s.t.Fatal(err)
		}
		if text := errorText(resp.Diagnostics); text != "" {
			errors[address] = text
		} else {
			s.set(address, instance{resource, p.Value(p.Type(resource), resp.NewState)})
		}
	}
}

func (s *simulator) set(address string, held instance) {
	if held.value.IsNull() {
		delete(s.state, address)
	} else {
		s.state[address] = held
	}
}

// planOne plans one resource. The change is nil if there is none.
func (s *simulator) planOne(p *acctest.Protocol, address string, config resourceConfig) (*change, string) {
	s.t.Helper()
	held, exists := s.state[address]
	if config.Type == "" {
		null := tftypes.NewValue(p.Type(held.resource), nil)
		return &change{address: address, planned: null}, errorText(p.Plan(held.resource, held.value, null).Diagnostics)
	}
	null, wanted := tftypes.NewValue(p.Type(config.Type), nil), acctest.Object(p.Type(config.Type), config.Arguments)
	prior := null
	if exists {
		prior = held.value
	}
	resp := p.Plan(config.Type, prior, wanted)
	if text := errorText(append(p.Validate(config.Type, config.Arguments), resp.Diagnostics...)); text != "" {
		return nil, text
	}
	c := &change{address: address, config: config, planned: p.Value(null.Type(), resp.PlannedState)}
	if s.checkPlan(p, address, config.Type, prior, wanted, c.planned); !exists {
		return c, ""
	}
	if c.planned.Equal(prior) {
		return nil, ""
	}
	was := p.Attributes(prior)
	for name, value := range p.Attributes(c.planned) {
		if value.IsFullyKnown() && !value.Equal(was[name]) {
			c.differs = append(c.differs, name)
		}
	}
	slices.Sort(c.differs)
	if c.replace = len(resp.RequiresReplace) > 0; c.replace {
		resp = p.Plan(config.Type, null, wanted)
		c.planned = p.Value(null.Type(), resp.PlannedState)
	}
	return c, errorText(resp.Diagnostics)
}

// apply applies the plan without a refresh, and returns the errors by address. Terraform
// applies nothing if the plan failed.
func (plan savedPlan) apply() map[string]string {
	plan.t.Helper()
	if len(plan.errors) > 0 {
		return plan.errors
	}
	p, errors := plan.provider(), map[string]string{}
	for _, change := range plan.changes {
		if text := plan.applyOne(p, change); text != "" {
			errors[change.address] = text
		}
	}
	return errors
}

func (s *simulator) applyOne(p *acctest.Protocol, c change) string {
	s.t.Helper()
	held := s.state[c.address]
	if c.replace || c.config.Type == "" {
		null := tftypes.NewValue(held.value.Type(), nil)
		if _, found := p.Apply(held.resource, held.value, null); errorText(found) != "" || c.config.Type == "" {
			if errorText(found) == "" {
				delete(s.state, c.address)
			}
			return errorText(found)
		}
		held.value = null
		delete(s.state, c.address)
	}
	resource, config := c.config.Type, acctest.Object(p.Type(c.config.Type), c.config.Arguments)
	if held.resource == "" {
		held.value = tftypes.NewValue(config.Type(), nil)
	}
	again := p.Plan(resource, held.value, config)
	if text := errorText(again.Diagnostics); text != "" {
		return text
	}
	final := p.Value(config.Type(), again.PlannedState)
	s.checkKept(p, c.address, "the final plan", c.planned, final)
	now, found := p.Apply(resource, held.value, config)
	s.set(c.address, instance{resource, now})
	s.warnings[c.address] = found
	text := errorText(found)
	if text == "" {
		s.checkKept(p, c.address, "the result", final, now)
		if !now.IsFullyKnown() {
			s.defect("%s: the result has unknown values: %s", c.address, now)
		}
	}
	return text
}

// Import imports an object into the state.
func (s *simulator) Import(address, resource, id string) {
	s.t.Helper()
	value, _ := s.provider().Import(resource, id, nil)
	if _, held := s.state[address]; held || value.IsNull() {
		s.t.Errorf("import %s: Terraform refuses it, because the state contains the resource, or %s does not exist", address, id)
	}
	s.set(address, instance{resource, value})
}

// checkPlan checks that each planned value equals the configuration or, for semantically
// equal values, the prior state.
func (s *simulator) checkPlan(p *acctest.Protocol, address, resource string, prior, config, planned tftypes.Value) {
	s.t.Helper()
	wanted, is, was := p.Attributes(config), p.Attributes(planned), map[string]tftypes.Value{}
	if !prior.IsNull() {
		was = p.Attributes(prior)
	}
	for _, attribute := range p.Schema.ResourceSchemas[resource].Block.Attributes {
		name := attribute.Name
		switch set := !wanted[name].IsNull(); {
		case attribute.WriteOnly && !is[name].IsNull():
			s.defect("%s: the plan has the write-only %s", address, name)
		case attribute.WriteOnly, !wanted[name].IsFullyKnown(), attribute.NestedType != nil:
		case set && !is[name].Equal(wanted[name]) && !is[name].Equal(was[name]):
			s.defect("%s: %s is planned as %s, configured as %s", address, name, is[name], wanted[name])
		case !set && !attribute.Computed && !is[name].IsNull():
			s.defect("%s: %s is planned as %s and not configured", address, name, is[name])
		}
	}
}

// checkKept checks that known planned values do not change.
func (s *simulator) checkKept(p *acctest.Protocol, address, what string, planned, now tftypes.Value) {
	s.t.Helper()
	if now.IsNull() {
		s.defect("%s: %s has nothing", address, what)
		return
	}
	is := p.Attributes(now)
	for name, value := range p.Attributes(planned) {
		if value.IsFullyKnown() && !value.Equal(is[name]) {
			s.defect("%s: %s of %s is %s, planned as %s", address, name, what, is[name], value)
		}
	}
}

// errorText returns the first error in diagnostics, or an empty string if there is none.
func errorText(diagnostics []*tfprotov6.Diagnostic) string {
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return d.Summary + ": " + d.Detail
		}
	}
	return ""
}
