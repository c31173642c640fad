package chaos

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

func (c *simulator) apply(p *acctest.Protocol, change change, errors map[string]string) {
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
func (c *simulator) change(p *acctest.Protocol, change change, prior tftypes.Value, errors map[string]string) {
	c.t.Helper()
	resource, config := change.config.Type, acctest.Object(p.Type(change.config.Type), change.config.Arguments)
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
	c.warnings[change.address] = resp.Diagnostics
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

func (c *simulator) destroy(p *acctest.Protocol, address string, instance instance, errors map[string]string) {
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
