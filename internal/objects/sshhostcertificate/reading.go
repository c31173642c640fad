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

var reading = crud.Reading[model, api.SSHHostCertificate]{
	Description:  "Reads an SSH host certificate: a server's public key that an SSH certificate authority of the account has signed.",
	Plural:       "ssh_host_certificates",
	Nouns:        "SSH host certificates",
	ResourceOnly: []string{"early_renewal_hours", "ready_for_renewal"},
	Words: crud.ObjectWords("SSH host certificate", map[string]string{
		"ssh_certificate_authority_id": "Id of the SSH certificate authority that has signed the certificate, such as sshca_2abc.",
		"public_key":                   "The server's public host key that the certificate signs, as one line in OpenSSH's authorized-keys format.",
		"principals":                   "Host names, which may hold wildcards, and IP addresses that may serve SSH with the certificate. Null where it is valid for all hosts.",
		"valid_after":                  "Time from which the certificate is valid, in RFC 3339 notation.",
		"valid_until":                  "Time after which the certificate is invalid, in RFC 3339 notation.",
		"certificate":                  "The signed certificate in OpenSSH's authorized-keys format, as the file has it that sshd_config names as HostCertificate.",
	}),
	Derived: []crud.Derived[model]{{
		Name: "expired",
		Schema: schema.BoolAttribute{
			Computed:    true,
			Description: "Whether valid_until is over, by the clock of the machine that runs Terraform.",
		},
		Of: func(m *model, now time.Time) attr.Value {
			end, ok := attribute.Instant(m.ValidUntil)
			return types.BoolValue(ok && attribute.Ended(end, now))
		},
	}},
	Filters: crud.ObjectFilters(func(o *api.SSHHostCertificate) *api.Object { return &o.Object },
		crud.TextFilter("principal", "Only those that ssh takes for this host, a name or an IP address: by a principal with that name, by one whose wildcards fit it, or because they are valid for all hosts.",
			crud.Checked(attribute.CheckServed), func(host string, o *api.SSHHostCertificate) bool { return attribute.ServesHost(o.Principals, host) }),
		crud.EqualFilter("ssh_certificate_authority_id", "Only those that the SSH certificate authority with this id has signed.",
			func(o *api.SSHHostCertificate) string { return o.SSHCertificateAuthorityID }),
		crud.BeforeFilter("expires_before", "Only those whose valid_until is before this time, in RFC 3339 notation: timeadd(plantimestamp(), \"720h\"), for instance, for the next 30 days.",
			func(o *api.SSHHostCertificate) string { return o.ValidUntil }),
	),
	Name:    name,
	Compare: func(a, b *model) int { return a.Object.Compare(&b.Object) },
}

// name is such as "bastion.example.com, 192.0.2.10: Host key of the bastion".
func name(o *api.SSHHostCertificate) string {
	hosts := "all hosts"
	if len(o.Principals) > 0 {
		hosts = crud.Some(o.Principals, 3)
	}
	return crud.Titled(hosts, o.Description)
}
