package action

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

var forCertificate = waiting{
	name: "wait_for_certificate", kind: api.ReservedDomains.Kind, id: "domain_id",
	description: "Waits until a reserved domain has a TLS certificate. The service issues one for a domain with a " +
		"`certificate_management_policy` some time after the domain is created.",
	look: func(ctx context.Context, client *api.Client, id string, _ tfsdk.Config) (shown string, done bool, err error) {
		domain, err := api.ReservedDomains.Of(client).Read(ctx, id, time.Time{})
		switch {
		case err != nil || domain.Certificate.ID != "":
			return "", err == nil, err
		case domain.Policy() == nil:
			return "", false, errNoCertificate
		}
		shown = "no certificate for " + quote.Foreign(domain.Domain) + " yet"
		job := domain.CertificateManagementStatus.ProvisioningJob
		for _, text := range []string{string(job.ErrorCode), string(job.Message)} {
			if text != "" {
				shown += ": " + quote.Foreign(strings.TrimSuffix(text, "."))
			}
		}
		if job.RetriesAt != "" {
			shown += ". The service tries again at " + quote.Foreign(string(job.RetriesAt))
		}
		return shown, false, nil
	},
}

var errNoCertificate = errors.New("the domain has neither a certificate_id nor a certificate_management_policy, so it gets no certificate")

var forTunnels = waiting{
	name: "wait_for_tunnels", kind: api.GroupBackends.Kind, id: "backend_id",
	description: "Waits until a tunnel group backend has a number of tunnels, so that something serves before an edge uses it.",
	attributes: map[string]schema.Attribute{
		"tunnels": schema.Int64Attribute{
			Optional:    true,
			Description: "Minimum number of tunnels. Defaults to `1`.",
			Validators:  []validator.Int64{attribute.AtLeast(1)},
		},
	},
	look: func(ctx context.Context, client *api.Client, id string, config tfsdk.Config) (shown string, done bool, err error) {
		var wanted types.Int64
		if diags := config.GetAttribute(ctx, path.Root("tunnels"), &wanted); diags.HasError() || wanted.IsNull() {
			wanted = types.Int64Value(1)
		}
		backend, err := api.GroupBackends.Of(client).Read(ctx, id, time.Time{})
		if err != nil {
			return "", false, err
		}
		found := int64(len(backend.Tunnels))
		return fmt.Sprintf("%d of %d tunnels", found, wanted.ValueInt64()), found >= wanted.ValueInt64(), nil
	},
}
