package chaos

import (
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// simulator simulates in process what Terraform's core does with one provider:
// it refreshes, plans and applies configurations and keeps a state. Use it for
// tests with thousands of applies. Like Terraform, it checks each plan and each
// result. It records violations as defects.
type simulator struct {
	state     map[string]instance                // by address
	warnings  map[string][]*tfprotov6.Diagnostic // of the last creation or update, by address
	defects   []string
	env       *acctest.Env
	arguments map[string]tftypes.Value // arguments of the provider block
	t         testing.TB
}

// resourceConfig is a resource in a configuration.
type resourceConfig struct {
	Type                string
	Arguments           map[string]tftypes.Value // missing arguments are null
	CreateBeforeDestroy bool
}

// objectState is an object in a state.
type objectState struct {
	Type string
	Keys map[string]string // identity keys
}

type instance struct {
	resource string
	value    tftypes.Value
	private  []byte
}

// newSimulator returns a simulator with an empty state. arguments are
// additional arguments of the provider block.
func newSimulator(t testing.TB, w *acctest.Env, arguments map[string]tftypes.Value) *simulator {
	all := map[string]tftypes.Value{
		"base_url": acctest.Text(w.URL), "api_key": acctest.Text(w.AdminKey), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true),
		"skip_account_validation": tftypes.NewValue(tftypes.Bool, true), // sequences may delete everything by hand
	}
	maps.Copy(all, arguments)
	return &simulator{state: map[string]instance{}, warnings: map[string][]*tfprotov6.Diagnostic{}, env: w, arguments: all, t: t}
}

// change is the plan for one resource.
type change struct {
	address string
	config  resourceConfig // the type is empty if the resource is deleted
	prior   tftypes.Value  // null if the resource is new
	planned tftypes.Value
	private []byte
	replace bool
	differs []string // names of the attributes that change to a known value
}

// objectState returns the objects in the state by address.
func (c *simulator) ObjectState() map[string]objectState {
	c.t.Helper()
	all := map[string]objectState{}
	for address, instance := range c.state {
		var attributes map[string]tftypes.Value
		if err := instance.value.As(&attributes); err != nil {
			c.t.Fatal(err)
		}
		held := objectState{instance.resource, map[string]string{}}
		for _, name := range acctest.KindOf(c.t, instance.resource).Keys() {
			var text string
			if err := attributes[name].As(&text); err != nil {
				c.t.Fatal(err)
			}
			held.Keys[name] = text
		}
		all[address] = held
	}
	return all
}

// Forget removes a resource from the state.
func (c *simulator) Forget(address string) { delete(c.state, address) }

// TakeFindings returns the defects since the last call, for example a result
// that differs from the plan.
func (c *simulator) TakeFindings() []string {
	defects := c.defects
	c.defects = nil
	return defects
}

// Apply refreshes the state and applies a configuration. It returns the errors
// by address.
func (c *simulator) Apply(config map[string]resourceConfig) map[string]string {
	c.t.Helper()
	return c.Plan(config).Apply()
}

// savedPlan is a plan that can be applied later.
type savedPlan struct {
	Changes []string          // addresses of the resources with planned changes
	Errors  map[string]string // by address
	// Differs contains the names of the attributes of existing objects that
	// change to a known value, by address. Real Terraform does not fill it.
	Differs map[string][]string
	// Apply applies the plan without a refresh, and returns the errors by address.
	Apply func() map[string]string
}

// Plan refreshes the state and plans a configuration.
func (c *simulator) Plan(config map[string]resourceConfig) savedPlan {
	c.t.Helper()
	return c.planAll(config, true)
}

func (c *simulator) planAll(config map[string]resourceConfig, refresh bool) savedPlan {
	c.t.Helper()
	p := c.provider()
	plan := savedPlan{Errors: map[string]string{}, Differs: map[string][]string{}}
	if refresh {
		c.refresh(p, plan.Errors)
	}
	var changes []change
	for _, address := range slices.Sorted(maps.Keys(c.addresses(config))) {
		if plan.Errors[address] != "" {
			continue
		}
		if change, ok := c.plan(p, address, config[address], plan.Errors); ok {
			changes = append(changes, change)
			plan.Changes = append(plan.Changes, address)
			plan.Differs[address] = change.differs
		}
	}
	plan.Apply = func() map[string]string {
		c.t.Helper()
		if len(plan.Errors) > 0 { // Terraform applies nothing if the plan failed
			return plan.Errors
		}
		p, errors := c.provider(), map[string]string{}
		for _, change := range changes {
			c.apply(p, change, errors)
		}
		return errors
	}
	return plan
}

func (c *simulator) addresses(config map[string]resourceConfig) map[string]bool {
	all := map[string]bool{}
	for address := range config {
		all[address] = true
	}
	for address := range c.state {
		all[address] = true
	}
	return all
}

// Import imports an object into the state.
func (c *simulator) Import(address, resource, id string) {
	c.t.Helper()
	if _, held := c.state[address]; held {
		c.t.Errorf("import %s: Terraform refuses it, because the state contains the resource", address)
		return
	}
	value, _ := c.provider().Import(resource, id, nil)
	if value.IsNull() {
		c.t.Errorf("import %s: %s does not exist", address, id)
		return
	}
	c.state[address] = instance{resource: resource, value: value}
}

// provider returns a new provider instance, because Terraform starts a new
// process for each step.
func (c *simulator) provider() *acctest.Protocol {
	c.t.Helper()
	p := acctest.NewProtocol(c.t)
	p.Configure(c.arguments)
	return p
}

func (c *simulator) refresh(p *acctest.Protocol, errors map[string]string) {
	c.t.Helper()
	for _, address := range slices.Sorted(maps.Keys(c.state)) {
		instance := c.state[address]
		resp, err := p.ReadResource(c.t.Context(), &tfprotov6.ReadResourceRequest{
			TypeName: instance.resource, CurrentState: p.Dynamic(instance.value), Private: instance.private,
		})
		if err != nil {
			c.t.Fatal(err)
		}
		if text := errorText(resp.Diagnostics); text != "" {
			errors[address] = text
			continue
		}
		instance.value, instance.private = p.Value(p.Type(instance.resource), resp.NewState), resp.Private
		if instance.value.IsNull() {
			delete(c.state, address)
		} else {
			c.state[address] = instance
		}
	}
}

// plan plans one resource. It returns false if nothing changes or the plan
// fails.
func (c *simulator) plan(p *acctest.Protocol, address string, config resourceConfig, errors map[string]string) (change, bool) {
	c.t.Helper()
	instance, exists := c.state[address]
	if config.Type == "" {
		null := tftypes.NewValue(p.Type(instance.resource), nil)
		resp, err := p.PlanResourceChange(c.t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: instance.resource, PriorState: p.Dynamic(instance.value), ProposedNewState: p.Dynamic(null), Config: p.Dynamic(null), PriorPrivate: instance.private,
		})
		if err != nil {
			c.t.Fatal(err)
		}
		if text := errorText(resp.Diagnostics); text != "" {
			errors[address] = text
			return change{}, false
		}
		return change{address: address, prior: instance.value, planned: null, private: resp.PlannedPrivate}, true
	}
	of := p.Type(config.Type)
	wanted := acctest.Object(of, config.Arguments)
	if text := errorText(p.Validate(config.Type, config.Arguments)); text != "" {
		errors[address] = text
		return change{}, false
	}
	prior := tftypes.NewValue(of, nil)
	if exists {
		prior = instance.value
	}
	resp := p.Plan(config.Type, prior, wanted)
	if text := errorText(resp.Diagnostics); text != "" {
		errors[address] = text
		return change{}, false
	}
	planned := p.Value(of, resp.PlannedState)
	var differs []string
	if exists {
		was := p.Attributes(prior)
		for name, value := range p.Attributes(planned) {
			if value.IsFullyKnown() && !value.Equal(was[name]) {
				differs = append(differs, name)
			}
		}
	}
	c.checkPlan(p, address, config.Type, prior, wanted, planned)
	replace := exists && len(resp.RequiresReplace) > 0 && !planned.Equal(prior)
	if replace {
		if resp = p.Plan(config.Type, tftypes.NewValue(of, nil), wanted); errorText(resp.Diagnostics) != "" {
			errors[address] = errorText(resp.Diagnostics)
			return change{}, false
		}
		planned = p.Value(of, resp.PlannedState)
	}
	if exists && !replace && planned.Equal(prior) {
		return change{}, false
	}
	return change{address, config, prior, planned, resp.PlannedPrivate, replace, differs}, true
}
