package sshcredential_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const address = "tunnel_ssh_credential.test"

// config returns a credential with additional arguments.
func config(publicKey string, more ...string) string {
	return acctest.Resource(address, append(more, fmt.Sprintf("public_key = %q", publicKey))...)
}

func TestAccSSHCredential_lifecycle(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "alice@laptop")
	full := config(key, `description = "Alice's läptop"`, `metadata = jsonencode({ team = "a" })`, `acl = ["bind:*.example.com", "bind:env=prod"]`)
	acctest.Lifecycle{
		Resource: address,
		Full:     full,
		IsFull: map[string]any{
			"public_key": key, "description": "Alice's läptop", "metadata": `{"team":"a"}`,
			"acl": acctest.Set{"bind:*.example.com", "bind:env=prod"}, "owner_id": w.AdminOwner,
		},
		Changed:   config(key, `description = "Bob"`, `acl = ["*"]`),
		IsChanged: map[string]any{"description": "Bob", "metadata": "", "acl": acctest.Set{"*"}},
		Minimal:   config(key),
		// No acl means the same as ["*"] of the step before.
		IsMinimal: map[string]any{"description": "", "metadata": "", "owner_id": w.AdminOwner},
		Drift:     `{"description": "by hand", "metadata": "by hand", "acl": ["bind:evil.example.com"]}`,
	}.Run(t, w)
}

func TestAccSSHCredential_emptyArguments(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "")
	var id string
	w.Run(t,
		resource.TestStep{
			Config: w.Config(config(key, `description = ""`, `metadata = ""`, `acl = []`)),
			Check:  acctest.ID(address, &id),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("description"), knownvalue.StringExact("")),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("acl"), knownvalue.ListSizeExact(0)),
			},
		},
		resource.TestStep{
			PreConfig: w.ResetStats,
			Config:    w.Config(config(key)),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("description"), knownvalue.Null()),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("acl"), knownvalue.ListSizeExact(0)),
			},
		},
	)
	if patches := w.Stats().Requests["PATCH /ssh_credentials/{id}"]; patches != 0 {
		t.Errorf("%d times PATCH, although nothing changed for the service", patches)
	}
}

func TestAccSSHCredential_keyWithLineEndPlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "alice")
	var id string
	w.Run(t,
		resource.TestStep{
			Config: w.Config(config(key + "\n")),
			Check:  acctest.ID(address, &id),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("public_key"), knownvalue.StringExact(key+"\n")),
			},
		},
		resource.TestStep{
			Config: w.Config(config(key + "\n")), ResourceName: address,
			ImportState: true, ImportStateKind: resource.ImportBlockWithID,
		},
	)
}

func TestAccSSHCredential_otherKeyReplaces(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Run(t,
		resource.TestStep{Config: w.Config(config(testcert.PublicKey(t, "a")))},
		resource.TestStep{
			Config: w.Config(config(testcert.PublicKey(t, "a"))),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate),
			}},
		},
	)
}

func TestAccSSHCredential_owner(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "")
	w.Run(t,
		resource.TestStep{
			Config: w.Config(config(key, fmt.Sprintf("owner_id = %q", w.OrdinaryOwner))),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("owner_id"), knownvalue.StringExact(w.OrdinaryOwner)),
			},
		},
		resource.TestStep{
			Config: w.Config(config(key, fmt.Sprintf("owner_id = %q", w.AdminOwner))),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate),
			}},
		},
	)
}

func TestAccSSHCredential_ownerNeedsAdmin(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	as := strings.Replace(w.Config(""), w.AdminKey, w.OrdinaryKey, 1)
	w.Run(t, resource.TestStep{
		Config:      as + config(testcert.PublicKey(t, ""), fmt.Sprintf("owner_id = %q", w.AdminOwner)),
		ExpectError: regexp.MustCompile(`(?s)owner_id.*403 Forbidden`),
	})
}

func TestAccSSHCredential_sameKeyAlreadyExists(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "")
	id := w.Create("/ssh_credentials", fmt.Sprintf(`{"public_key": %q}`, key))
	w.Run(t,
		resource.TestStep{
			Config: w.Config(config(key)),
			ExpectError: acctest.InError("The SSH credential already exists", id, "If another resource has the same public_key",
				"add a moved block", "create_before_destroy", "Otherwise it was created manually",
				"terraform import tunnel_ssh_credential.NAME "+id, `add the key of the instance, such as 'tunnel_ssh_credential.NAME["a"]'`,
				"The service returned"),
		},
		resource.TestStep{Config: w.Config(config(key)) + fmt.Sprintf("\nimport {\n  to = %s\n  id = %q\n}\n", address, id)},
	)
}

func TestAccSSHCredential_failedUpdateKeepsState(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "")
	refusing := testserver.Fault{Method: "PATCH", Route: "/ssh_credentials/{id}", Kind: testserver.Fault500}
	w.Run(t,
		resource.TestStep{Config: w.Config(config(key, `description = "before"`))},
		resource.TestStep{
			PreConfig:   func() { w.SetFaults(refusing) },
			Config:      w.Config(config(key, `description = "after"`)),
			ExpectError: regexp.MustCompile(`Error updating SSH credential`),
		},
		resource.TestStep{
			PreConfig: func() { w.SetFaults() },
			Config:    w.Config(config(key, `description = "before"`)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop),
			}},
		},
	)
}

func TestAccSSHCredential_proxyPageIsNotGone(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "")
	page := testserver.Fault{Method: "GET", Route: "/ssh_credentials*", Kind: testserver.FaultHTML, Status: 404, Before: true}
	w.Run(t,
		resource.TestStep{Config: w.Config(config(key))},
		resource.TestStep{
			PreConfig:   func() { w.SetFaults(page) },
			Config:      w.Config(config(key)),
			ExpectError: regexp.MustCompile(`(?s)Error reading SSH credential.*404 Not Found.*text/html`),
		},
		resource.TestStep{
			PreConfig: func() { w.SetFaults() },
			Config:    w.Config(config(key)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop),
			}},
		},
	)
}

func TestAccSSHCredential_invalidConfig(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "")
	for name, test := range map[string]struct{ config, want string }{
		"no key":                  {config("not a key"), `(?s)Invalid SSH public key.*public_key is not a valid SSH public key`},
		"256 bytes, 128 letters":  {config(key, fmt.Sprintf("description = %q", strings.Repeat("é", 128))), `(?s)description must be at most 255 bytes.*256`},
		"4097 bytes of metadata":  {config(key, fmt.Sprintf("metadata = %q", strings.Repeat("m", 4097))), `(?s)metadata must be at most 4096 bytes.*4097`},
		"a rule that is null":     {config(key, `acl = ["*", null]`), `must not be null`},
		"an owner that is empty":  {config(key, `owner_id = ""`), `owner_id must be an ID; found an empty string`},
		"an argument that is not": {config(key, `id = "sshcr_1"`), `(?i)id`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Run(t, resource.TestStep{Config: w.Config(test.config), PlanOnly: true, ExpectError: regexp.MustCompile(test.want)})
		})
	}
}

func TestAccSSHCredential_longestDescription(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Run(t, resource.TestStep{Config: w.Config(config(testcert.PublicKey(t, ""),
		fmt.Sprintf("description = %q", strings.Repeat("é", 127)+"x"), fmt.Sprintf("metadata = %q", strings.Repeat("m", 4096))))})
}

func TestAccSSHCredential_importOfMissing(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Run(t, resource.TestStep{
		Config: w.Config(config(testcert.PublicKey(t, ""))), ResourceName: address,
		ImportState: true, ImportStateId: "sshcr_none", ExpectError: regexp.MustCompile(`(?s)SSH credential not found.*sshcr_none.*Only existing`),
	})
	w.Run(t, resource.TestStep{
		Config: w.Config(config(testcert.PublicKey(t, ""))), ResourceName: address,
		ImportState: true, ImportStateId: "a/b", ExpectError: regexp.MustCompile(`(?s)Invalid import ID`),
	})
}
