package acctest

import (
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A Core does in process what Terraform's core does with one provider: it
// refreshes, plans and applies configurations and keeps a state. It is for tests
// that need thousands of applies. Like Terraform, it checks each plan and each
// result, and reports what breaks the rules as a defect.
type Core struct {
	// State is the state of all resources by address.
	State map[string]Instance
	// Defects are broken rules, such as a result that is not as planned.
	Defects []string

	world     *World
	arguments map[string]tftypes.Value // of the provider block
	t         testing.TB
}

// Resource is a resource in a configuration.
type Resource struct {
	Type                string
	Arguments           map[string]tftypes.Value // what is not named is null
	CreateBeforeDestroy bool
}

// Instance is a resource in a state.
type Instance struct {
	Type    string
	Value   tftypes.Value
	private []byte
}

// NewCore returns a core with an empty state, for a provider with some more
// arguments.
func (w *World) NewCore(t testing.TB, arguments map[string]tftypes.Value) *Core {
	all := map[string]tftypes.Value{
		"base_url": Text(w.URL), "api_key": Text(w.AdminKey), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true),
	}
	maps.Copy(all, arguments)
	return &Core{State: map[string]Instance{}, world: w, arguments: all, t: t}
}

// Outcome is what an apply did.
type Outcome struct {
	// Changed are the addresses for which something was planned.
	Changed []string
	// Errors are the errors by address.
	Errors map[string]string
}

// A change is the plan for one resource.
type change struct {
	address string
	config  Resource      // without a type if the resource is deleted
	prior   tftypes.Value // null if the resource is new
	planned tftypes.Value
	private []byte
	replace bool
}

// Apply refreshes the state and applies a configuration.
func (c *Core) Apply(config map[string]Resource) Outcome {
	c.t.Helper()
	return c.ApplyPlan(c.Plan(config))
}

// A SavedPlan is a plan for ApplyPlan.
type SavedPlan struct {
	changes []change
	errors  map[string]string
}

// Changes are the addresses for which something is planned.
func (s SavedPlan) Changes() []string {
	var all []string
	for _, change := range s.changes {
		all = append(all, change.address)
	}
	return all
}

// Errors are the errors by address.
func (s SavedPlan) Errors() map[string]string { return s.errors }

// Plan refreshes the state and plans a configuration.
func (c *Core) Plan(config map[string]Resource) SavedPlan {
	c.t.Helper()
	p := c.provider()
	plan := SavedPlan{errors: map[string]string{}}
	c.refresh(p, plan.errors)
	for _, address := range slices.Sorted(maps.Keys(c.addresses(config))) {
		if plan.errors[address] != "" {
			continue
		}
		if change, ok := c.plan(p, address, config[address], plan.errors); ok {
			plan.changes = append(plan.changes, change)
		}
	}
	return plan
}

func (c *Core) addresses(config map[string]Resource) map[string]bool {
	all := map[string]bool{}
	for address := range config {
		all[address] = true
	}
	for address := range c.State {
		all[address] = true
	}
	return all
}

// ApplyPlan applies a plan without a refresh.
func (c *Core) ApplyPlan(plan SavedPlan) Outcome {
	c.t.Helper()
	outcome := Outcome{Errors: plan.errors}
	if len(plan.errors) > 0 { // Terraform applies nothing
		return outcome
	}
	p := c.provider()
	for _, change := range plan.changes {
		outcome.Changed = append(outcome.Changed, change.address)
		c.apply(p, change, outcome.Errors)
	}
	return outcome
}

// Import brings an object into the state.
func (c *Core) Import(address, resource, id string) {
	c.t.Helper()
	value, _ := c.provider().Import(resource, id, nil)
	if value.IsNull() {
		c.t.Errorf("import %s: %s does not exist", address, id)
		return
	}
	c.State[address] = Instance{Type: resource, Value: value}
}

// provider is a process of its own, as each step of Terraform has.
func (c *Core) provider() *Protocol {
	c.t.Helper()
	p := NewProtocol(c.t)
	p.Configure(c.arguments)
	return p
}

func (c *Core) refresh(p *Protocol, errors map[string]string) {
	c.t.Helper()
	for _, address := range slices.Sorted(maps.Keys(c.State)) {
		instance := c.State[address]
		resp, err := p.ReadResource(c.t.Context(), &tfprotov6.ReadResourceRequest{
			TypeName: instance.Type, CurrentState: p.Dynamic(instance.Value), Private: instance.private,
		})
		if err != nil {
			c.t.Fatal(err)
		}
		if text := errorText(resp.Diagnostics); text != "" {
			errors[address] = text
			continue
		}
		instance.Value, instance.private = p.Value(p.Type(instance.Type), resp.NewState), resp.Private
		if instance.Value.IsNull() {
			delete(c.State, address)
		} else {
			c.State[address] = instance
		}
	}
}

// plan plans one resource. It returns false if there is nothing to do.
func (c *Core) plan(p *Protocol, address string, config Resource, errors map[string]string) (change, bool) {
	c.t.Helper()
	instance, exists := c.State[address]
	if config.Type == "" {
		null := tftypes.NewValue(p.Type(instance.Type), nil)
		resp, err := p.PlanResourceChange(c.t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: instance.Type, PriorState: p.Dynamic(instance.Value), ProposedNewState: p.Dynamic(null), Config: p.Dynamic(null), PriorPrivate: instance.private,
		})
		if err != nil {
			c.t.Fatal(err)
		}
		if text := errorText(resp.Diagnostics); text != "" {
			errors[address] = text
			return change{}, false
		}
		return change{address: address, prior: instance.Value, planned: null, private: resp.PlannedPrivate}, true
	}
	of := p.Type(config.Type)
	wanted := Object(of, config.Arguments)
	if text := errorText(p.Validate(config.Type, config.Arguments)); text != "" {
		errors[address] = text
		return change{}, false
	}
	prior := tftypes.NewValue(of, nil)
	if exists {
		prior = instance.Value
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

func (c *Core) apply(p *Protocol, change change, errors map[string]string) {
	c.t.Helper()
	address, resource := change.address, change.config.Type
	if resource == "" {
		c.destroy(p, address, c.State[address], errors)
		return
	}
	null := tftypes.NewValue(p.Type(resource), nil)
	old, exists := c.State[address]
	switch {
	case change.replace && change.config.CreateBeforeDestroy:
		if c.change(p, change, null, errors); errors[address] == "" {
			created := c.State[address]
			if c.destroy(p, address, old, errors); errors[address] != "" {
				c.defect("%s: the old object is deposed: %s", address, errors[address])
			}
			c.State[address] = created
		} else {
			c.State[address] = old
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
func (c *Core) change(p *Protocol, change change, prior tftypes.Value, errors map[string]string) {
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
		delete(c.State, change.address)
	} else {
		c.State[change.address] = Instance{resource, now, resp.Private}
	}
}

func (c *Core) destroy(p *Protocol, address string, instance Instance, errors map[string]string) {
	c.t.Helper()
	null := p.Dynamic(tftypes.NewValue(p.Type(instance.Type), nil))
	resp, err := p.ApplyResourceChange(c.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: instance.Type, PriorState: p.Dynamic(instance.Value), PlannedState: null, Config: null, PlannedPrivate: instance.private,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	if text := errorText(resp.Diagnostics); text != "" {
		errors[address] = text
		return
	}
	delete(c.State, address)
}
