package acctest

import (
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Simulator simulates in process what Terraform's core does with one provider: it
// refreshes, plans and applies configurations and keeps a state. Use it for
// tests with thousands of applies. Like Terraform, it checks each plan and each
// result. It records violations as defects.
type Simulator struct {
	state     map[string]instance // by address
	defects   []string
	env       *Env
	arguments map[string]tftypes.Value // arguments of the provider block
	t         testing.TB
}

// Resource is a resource in a configuration.
type Resource struct {
	Type                string
	Arguments           map[string]tftypes.Value // missing arguments are null
	CreateBeforeDestroy bool
}

// ObjectState is an object in a state.
type ObjectState struct {
	Type string
	Keys map[string]string // identity keys
}

type instance struct {
	resource string
	value    tftypes.Value
	private  []byte
}

// NewSimulator returns a Simulator with an empty state. arguments are additional
// arguments of the provider block.
func (w *Env) NewSimulator(t testing.TB, arguments map[string]tftypes.Value) *Simulator {
	all := map[string]tftypes.Value{
		"base_url": Text(w.URL), "api_key": Text(w.AdminKey), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true),
	}
	maps.Copy(all, arguments)
	return &Simulator{state: map[string]instance{}, env: w, arguments: all, t: t}
}

// change is the plan for one resource.
type change struct {
	address string
	config  Resource      // the type is empty if the resource is deleted
	prior   tftypes.Value // null if the resource is new
	planned tftypes.Value
	private []byte
	replace bool
}

// ObjectState returns the objects in the state by address.
func (c *Simulator) ObjectState() map[string]ObjectState {
	c.t.Helper()
	all := map[string]ObjectState{}
	for address, instance := range c.state {
		var attributes map[string]tftypes.Value
		if err := instance.value.As(&attributes); err != nil {
			c.t.Fatal(err)
		}
		held := ObjectState{instance.resource, map[string]string{}}
		for _, name := range KindOf(c.t, instance.resource).Keys() {
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
func (c *Simulator) Forget(address string) { delete(c.state, address) }

// TakeFindings returns the defects since the last call, for example a result
// that differs from the plan.
func (c *Simulator) TakeFindings() []string {
	defects := c.defects
	c.defects = nil
	return defects
}

// Apply refreshes the state and applies a configuration. It returns the errors
// by address.
func (c *Simulator) Apply(config map[string]Resource) map[string]string {
	c.t.Helper()
	return c.Plan(config).Apply()
}

// SavedPlan is a plan that can be applied later.
type SavedPlan struct {
	Changes []string          // addresses of the resources with planned changes
	Errors  map[string]string // by address
	// Apply applies the plan without a refresh, and returns the errors by address.
	Apply func() map[string]string
}

// Plan refreshes the state and plans a configuration.
func (c *Simulator) Plan(config map[string]Resource) SavedPlan {
	c.t.Helper()
	p := c.provider()
	plan := SavedPlan{Errors: map[string]string{}}
	c.refresh(p, plan.Errors)
	var changes []change
	for _, address := range slices.Sorted(maps.Keys(c.addresses(config))) {
		if plan.Errors[address] != "" {
			continue
		}
		if change, ok := c.plan(p, address, config[address], plan.Errors); ok {
			changes = append(changes, change)
			plan.Changes = append(plan.Changes, address)
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

func (c *Simulator) addresses(config map[string]Resource) map[string]bool {
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
func (c *Simulator) Import(address, resource, id string) {
	c.t.Helper()
	value, _ := c.provider().Import(resource, id, nil)
	if value.IsNull() {
		c.t.Errorf("import %s: %s does not exist", address, id)
		return
	}
	c.state[address] = instance{resource: resource, value: value}
}

// provider returns a new provider instance, because Terraform starts a new
// process for each step.
func (c *Simulator) provider() *Protocol {
	c.t.Helper()
	p := NewProtocol(c.t)
	p.Configure(c.arguments)
	return p
}

func (c *Simulator) refresh(p *Protocol, errors map[string]string) {
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
func (c *Simulator) plan(p *Protocol, address string, config Resource, errors map[string]string) (change, bool) {
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
	wanted := Object(of, config.Arguments)
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
	return change{address, config, prior, planned, resp.PlannedPrivate, replace}, true
}

func (c *Simulator) apply(p *Protocol, change change, errors map[string]string) {
	c.t.Helper()
	address, resource := change.address, change.config.Type
	if resource == "" {
		c.destroy(p, address, c.state[address], errors)
		return
	}
	null := tftypes.NewValue(p.Type(resource), nil)
	old, exists := c.state[address]
	switch {
	case change.replace && change.config.CreateBeforeDestroy:
		if c.change(p, change, null, errors); errors[address] == "" {
			created := c.state[address]
			if c.destroy(p, address, old, errors); errors[address] != "" {
				c.defect("%s: the old object is deposed: %s", address, errors[address])
			}
			c.state[address] = created
		} else {
			c.state[address] = old
		}
	case change.replace:
		if c.destroy(p, address, old, errors); errors[address] == "" {
			c.change(p, change, null, errors)
		}
	case exists:
		c.change(p, change, change.prior, errors)
	default:
		c.change(p, change, null, errors)
	}
}

// change creates or updates one object.
func (c *Simulator) change(p *Protocol, change change, prior tftypes.Value, errors map[string]string) {
	c.t.Helper()
	resource, config := change.config.Type, Object(p.Type(change.config.Type), change.config.Arguments)
	again := p.Plan(resource, prior, config)
	if text := errorText(again.Diagnostics); text != "" {
		errors[change.address] = text
		return
	}
	final := p.Value(p.Type(resource), again.PlannedState)
	c.checkKept(p, change.address, "the final plan", change.planned, final)
	resp, err := p.ApplyResourceChange(c.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resource, PriorState: p.Dynamic(prior), PlannedState: p.Dynamic(final), Config: p.Dynamic(config), PlannedPrivate: again.PlannedPrivate,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	now := p.Value(p.Type(resource), resp.NewState)
	if text := errorText(resp.Diagnostics); text != "" {
		errors[change.address] = text
	} else {
		c.checkKept(p, change.address, "the result", final, now)
		if !now.IsFullyKnown() {
			c.defect("%s: the result has unknown values: %s", change.address, now)
		}
	}
	if now.IsNull() {
		delete(c.state, change.address)
	} else {
		c.state[change.address] = instance{resource, now, resp.Private}
	}
}

func (c *Simulator) destroy(p *Protocol, address string, instance instance, errors map[string]string) {
	c.t.Helper()
	null := p.Dynamic(tftypes.NewValue(p.Type(instance.resource), nil))
	resp, err := p.ApplyResourceChange(c.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: instance.resource, PriorState: p.Dynamic(instance.value), PlannedState: null, Config: null, PlannedPrivate: instance.private,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	if text := errorText(resp.Diagnostics); text != "" {
		errors[address] = text
		return
	}
	delete(c.state, address)
}
