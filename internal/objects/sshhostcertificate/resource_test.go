package sshhostcertificate_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const address = "tunnel_ssh_host_certificate.test"

// config returns a host certificate for a public key with additional arguments.
func config(authority, publicKey string, more ...string) string {
	return acctest.Resource(address, append(more, fmt.Sprintf("ssh_certificate_authority_id = %q", authority), fmt.Sprintf("public_key = %q", publicKey))...)
}

func TestAccSSHHostCertificate_lifecycle(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	authority, key := w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, "root@host")
	hosts := `principals = ["host.example.com", "192.0.2.1"]`
	acctest.Lifecycle{
		Resource: address,
		Full:     config(authority, key, hosts, `description = "a host"`, `metadata = "m"`),
		IsFull: map[string]any{
			"public_key": key, "key_type": "ed25519", "ssh_certificate_authority_id": authority,
			"principals": acctest.Set{"192.0.2.1", "host.example.com"}, "description": "a host", "metadata": "m",
		},
		Changed:   config(authority, key, hosts, `description = "the host"`, `metadata = "n"`),
		IsChanged: map[string]any{"description": "the host", "metadata": "n"},
		Minimal:   config(authority, key, hosts),
		IsMinimal: map[string]any{"description": "", "metadata": "", "principals": acctest.Set{"192.0.2.1", "host.example.com"}},
		Drift:     `{"description": "by hand", "metadata": "by hand"}`,
	}.Run(t, w)
}

func TestAccSSHHostCertificate_oneSecondMoreReplaces(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	authority, key := w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, "")
	from := time.Now().Add(time.Hour).Truncate(time.Second)
	until := from.Add(48 * time.Hour)
	valid := func(until time.Time, zone *time.Location) string {
		return config(authority, key, fmt.Sprintf("valid_after = %q", from.In(zone).Format(time.RFC3339)), fmt.Sprintf("valid_until = %q", until.In(zone).Format(time.RFC3339)))
	}
	newYork := time.FixedZone("", -5*3600)
	w.Run(t,
		resource.TestStep{
			Config: w.Config(valid(until, newYork)),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("valid_until"), knownvalue.StringExact(until.In(newYork).Format(time.RFC3339))),
			},
		},
		resource.TestStep{
			Config: w.Config(valid(until, time.UTC)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop),
			}},
		},
		resource.TestStep{
			Config: w.Config(valid(until.Add(time.Second), time.UTC)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate),
			}},
		},
	)
}

func TestAccSSHHostCertificate_otherPrincipalsReplace(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	authority, key := w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, "")
	action := func(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
		return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
	}
	w.Run(t,
		resource.TestStep{Config: w.Config(config(authority, key, `principals = ["a.example.com", "b.example.com"]`))},
		resource.TestStep{Config: w.Config(config(authority, key, `principals = ["b.example.com", "a.example.com"]`)), ConfigPlanChecks: action(plancheck.ResourceActionNoop)},
		resource.TestStep{Config: w.Config(config(authority, key, `principals = ["b.example.com"]`)), ConfigPlanChecks: action(plancheck.ResourceActionDestroyBeforeCreate)},
		resource.TestStep{Config: w.Config(config(authority, key)), ConfigPlanChecks: action(plancheck.ResourceActionDestroyBeforeCreate)},
		resource.TestStep{Config: w.Config(config(authority, key, `principals = []`)), ConfigPlanChecks: action(plancheck.ResourceActionNoop)},
	)
}

func TestAccSSHHostCertificate_missingAuthority(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Run(t, resource.TestStep{
		Config:      w.Config(config("sshca_none", testcert.PublicKey(t, ""))),
		ExpectError: regexp.MustCompile(`(?s)Error creating SSH host certificate.*ssh_certificate_authority_id.*400 Bad Request`),
	})
	if certificates := w.List("/ssh_host_certificates"); len(certificates) != 0 {
		t.Errorf("%d certificates exist", len(certificates))
	}
}

func TestAccSSHHostCertificate_invalidConfig(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	authority, key := w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, "")
	for name, test := range map[string]struct{ config, want string }{
		"no key":       {config(authority, "ssh-ed25519"), `public_key is not a valid SSH public key`},
		"no time":      {config(authority, key, `valid_until = "tomorrow"`), `valid_until must be a time in RFC 3339`},
		"no authority": {config("", key), `ssh_certificate_authority_id must be an ID; found an\s+empty\s+string`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Run(t, resource.TestStep{Config: w.Config(test.config), PlanOnly: true, ExpectError: regexp.MustCompile(test.want)})
		})
	}
}
