package ippolicy_test

import (
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const address = "tunnel_ip_policy.test"

func TestAccIPPolicy_lifecycle(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	acctest.Lifecycle{
		Resource:  address,
		Full:      acctest.Resource(address, `description = "Offices"`, `metadata = "{}"`),
		IsFull:    map[string]any{"description": "Offices", "metadata": "{}"},
		Changed:   acctest.Resource(address, `description = "All offices"`, `metadata = "m"`),
		IsChanged: map[string]any{"description": "All offices", "metadata": "m"},
		Minimal:   acctest.Resource(address),
		IsMinimal: map[string]any{"description": "", "metadata": ""},
		Drift:     `{"description": "by hand"}`,
	}.Run(t, w)
}
