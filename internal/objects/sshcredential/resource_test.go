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
			ExpectError: acctest.InError("The SSH credential already exists", id, "it was created manually",
				"terraform import tunnel_ssh_credential.NAME "+id, `add the key of the instance, such as 'tunnel_ssh_credential.NAME["a"]'`,
				"Another resource with the same public_key", "add a moved block", "create_before_destroy",
				"The service returned"),
		},
		resource.TestStep{Config: w.Config(config(key)) + fmt.Sprintf("\nimport {\n  to = %s\n  id = %q\n}\n", address, id)},
	)
}

// TestAccSSHCredential_faultsKeepState checks that a failed update, and a page of a proxy
// instead of the object, change nothing in the state.
func TestAccSSHCredential_faultsKeepState(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	before := config(testcert.PublicKey(t, ""), `description = "before"`)
	tf := w.Terraform(t, before)
	tf.Apply(t)
	original := tf.Read(t, "main.tf")
	w.SetRules(testserver.Rule{Method: "PATCH", Route: "/ssh_credentials/{id}", Behavior: "500"})
	tf.Write(t, "main.tf", strings.Replace(original, `"before"`, `"after"`, 1))
	if out, err := tf.TryApply(t); err == nil || !acctest.InError("Error updating SSH credential").MatchString(out) {
		t.Errorf("%v:\n%s", err, acctest.Summary(out))
	}
	tf.Write(t, "main.tf", original)
	w.SetRules(testserver.Rule{Behavior: "html_before=404", Method: "GET", Route: "/ssh_credentials*"})
	if out, err := tf.TryPlan(t); err == nil || !acctest.InError("Error reading SSH credential", "404 Not Found", "text/html").MatchString(out) {
		t.Errorf("%v:\n%s", err, acctest.Summary(out))
	}
	w.SetRules()
	tf.ExpectNoChanges(t)
}

func TestAccSSHCredential_createBeforeDestroy(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	before := "lifecycle {\n    create_before_destroy = true\n  }"
	w.Run(t,
		resource.TestStep{Config: w.Config(config(testcert.PublicKey(t, "old"), before))},
		resource.TestStep{
			PreConfig:        w.ResetStats,
			Config:           w.Config(config(testcert.PublicKey(t, "new"), before)),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreateBeforeDestroy)),
			Check:            w.CreatedBeforeDeleted("/ssh_credentials"),
		},
	)
}
