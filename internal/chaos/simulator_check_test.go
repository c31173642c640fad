package chaos

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// This file contains the checks that Terraform's core applies to a provider.

// checkPlan checks that each planned value equals the configuration or, for
// semantically equal values, the prior state.
func (c *simulator) checkPlan(p *acctest.Protocol, address, resource string, prior, config, planned tftypes.Value) {
	c.t.Helper()
	wanted, is, was := p.Attributes(config), p.Attributes(planned), map[string]tftypes.Value{}
	if !prior.IsNull() {
		was = p.Attributes(prior)
	}
	for _, attribute := range p.Schema.ResourceSchemas[resource].Block.Attributes {
		name := attribute.Name
		switch set := !wanted[name].IsNull(); {
		case attribute.WriteOnly && !is[name].IsNull():
			c.defect("%s: the plan has the write-only %s", address, name)
		case attribute.WriteOnly, !wanted[name].IsFullyKnown(), attribute.NestedType != nil:
		case set && !is[name].Equal(wanted[name]) && !is[name].Equal(was[name]):
			c.defect("%s: %s is planned as %s, configured as %s", address, name, is[name], wanted[name])
		case !set && !attribute.Computed && !is[name].IsNull():
			c.defect("%s: %s is planned as %s and not configured", address, name, is[name])
		}
	}
}

// checkKept checks that known planned values do not change.
func (c *simulator) checkKept(p *acctest.Protocol, address, what string, planned, now tftypes.Value) {
	c.t.Helper()
	if now.IsNull() {
		c.defect("%s: %s has nothing", address, what)
		return
	}
	is := p.Attributes(now)
	for name, value := range p.Attributes(planned) {
		if value.IsFullyKnown() && !value.Equal(is[name]) {
			c.defect("%s: %s of %s is %s, planned as %s", address, name, what, is[name], value)
		}
	}
}

func (c *simulator) defect(format string, arguments ...any) {
	c.defects = append(c.defects, fmt.Sprintf(format, arguments...))
}

// errorText returns the first error in diagnostics, or an empty string if there
// is none.
func errorText(diagnostics []*tfprotov6.Diagnostic) string {
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return d.Summary + ": " + d.Detail
		}
	}
	return ""
}
