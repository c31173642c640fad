package tlscertificate

import (
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.TLSCertificate]{
	Description:  "Reads a TLS certificate by `id` or `hostname`. Exactly one of the two must be set.",
	ResourceOnly: privateKey.Arguments(),
	Descriptions: map[string]string{
		"certificate_pem": "Chain of PEM-encoded certificates: the leaf certificate first, followed by each issuer.",
	},
	Derived: []crud.Derived[*model]{{
		Name: "expired",
		Schema: schema.BoolAttribute{
			Computed:    true,
			Description: "Whether `not_after` is in the past, based on the local clock.",
		},
		Of: func(m *model, now time.Time) attr.Value {
			end, ok := attribute.Instant(m.NotAfter)
			return types.BoolValue(ok && attribute.Expired(end, now))
		},
	}},
	Filters: crud.ObjectFilters[api.TLSCertificate](
		crud.TextFilter(
			"hostname",
			"Returns certificates that are valid for this hostname or IP address, based on the subject alternative names (including "+
				"wildcards). Includes expired certificates.",
			crud.Checked(attribute.CheckHost), func(host string, o *api.TLSCertificate) bool { return covers(o, host) },
		),
		crud.BeforeFilter(
			"expires_before",
			"Returns certificates whose `not_after` is before this time, in RFC 3339 format, such as `timeadd(plantimestamp(), \"720h\")` for "+
				"the next 30 days. Includes expired certificates.",
			func(o *api.TLSCertificate) string { return string(o.NotAfter) },
		),
	),
	Name: name,
	Lookup: &crud.Lookup[*api.TLSCertificate]{
		Name: "hostname",
		Description: "Hostname or IP address, such as `www.example.com`. Returns the currently valid certificate whose subject alternative " +
			"names match it (including wildcards). " +
			"If several match, returns the one that expires last. Fails if none is valid now: to check this, use `tunnel_tls_certificates`. " +
			"Conflicts with `id`.",
		Check: attribute.CheckHost,
		Find:  find,
	},
}

func covers(o *api.TLSCertificate, host string) bool {
	return attribute.CoversHost(o.SubjectAlternativeNames.DNSNames, o.SubjectAlternativeNames.IPs, host)
}

// name returns a display name such as "www.example.com (example.com,
// 192.0.2.1): The web shop", with the subject and the other names.
func name(o *api.TLSCertificate) string {
	names := slices.DeleteFunc(slices.Concat(o.SubjectAlternativeNames.DNSNames, o.SubjectAlternativeNames.IPs),
		func(name string) bool { return name == string(o.SubjectCommonName) })
	subject := string(o.SubjectCommonName)
	switch {
	case subject == "" && len(names) == 0:
		subject = "(no name)"
	case subject == "":
		subject = crud.JoinLimited(names, 3)
	case len(names) > 0:
		subject += " (" + crud.JoinLimited(names, 3) + ")"
	}
	return crud.DisplayName(subject, o.Description)
}
