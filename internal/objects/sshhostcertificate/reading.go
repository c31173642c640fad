package sshhostcertificate

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.SSHHostCertificate]{
	Description:  "Reads an SSH host certificate: the public key of a server, signed by an SSH certificate authority of the account.",
	ResourceOnly: []string{"validity_period_hours", "early_renewal_hours", "ready_for_renewal"},
	Descriptions: map[string]string{
		"ssh_certificate_authority_id": "ID of the SSH certificate authority that signed the certificate, such as `" +
			api.SSHCertificateAuthorities.Example() + "`.",
		"public_key":  "Public host key of the server, as one line in OpenSSH authorized-keys format.",
		"principals":  "Hostnames and IP addresses that the certificate is valid for. Empty if it is valid for all hosts.",
		"certificate": "Signed certificate in OpenSSH authorized-keys format, for the `HostCertificate` file of sshd.",
	},
	Derived: []crud.Derived[*model]{{
		Name: "expired",
		Schema: schema.BoolAttribute{
			Computed:    true,
			Description: "Whether `valid_until` is in the past, based on the local clock.",
		},
		Of: func(m *model, now time.Time) attr.Value {
			end, ok := attribute.Instant(m.ValidUntil)
			return types.BoolValue(ok && attribute.Expired(end, now))
		},
	}},
	Filters: crud.ObjectFilters[api.SSHHostCertificate](
		crud.TextFilter(
			"principal",
			"Returns certificates that are valid for this hostname or IP address: one of the principals is this text, or the "+
				"certificate has no principals. As in OpenSSH, the text is converted to lower case, and the principals are not.",
			crud.Checked(attribute.CheckServed),
			func(host string, o *api.SSHHostCertificate) bool {
				return attribute.MatchesPrincipal(o.Principals, host)
			},
		),
		crud.EqualFilter(
			"ssh_certificate_authority_id",
			"ID of an SSH certificate authority, such as `"+api.SSHCertificateAuthorities.Example()+"`. Returns the certificates that it signed.",
			func(o *api.SSHHostCertificate) string { return o.SSHCertificateAuthorityID },
		),
		crud.BeforeFilter(
			"expires_before",
			"Returns certificates whose `valid_until` is before this time, in RFC 3339 format, such as `timeadd(plantimestamp(), \"720h\")` "+
				"for the next 30 days. Includes expired certificates.",
			func(o *api.SSHHostCertificate) string { return o.ValidUntil },
		),
	),
	Name: name,
}

// name returns a display name such as "bastion.example.com, 192.0.2.10: Host
// key of the bastion".
func name(o *api.SSHHostCertificate) string {
	hosts := "all hosts"
	if len(o.Principals) > 0 {
		hosts = crud.JoinLimited(o.Principals, 3)
	}
	return crud.DisplayName(hosts, o.Description)
}
