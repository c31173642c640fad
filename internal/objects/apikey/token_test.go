package apikey_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// works reports whether the service accepts a token.
func works(t *testing.T, w *acctest.Env, token string) bool {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.URL+"/api_keys", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Service-Version", "2")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// TestAccAPIKey_storedToken also checks that an update and a service that changes what it
// stores keep the token.
func TestAccAPIKey_storedToken(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t, testserver.WithBehavior("text_trimmed"))
	tf := w.Terraform(t, acctest.Resource(address, stores, `description = " CI "`))
	tf.Apply(t)
	token := fmt.Sprint(tf.Attributes(t, address)["token"])
	if !works(t, w, token) {
		t.Fatalf("the service rejects %q", token)
	}
	config := strings.Replace(tf.Read(t, "main.tf"), `" CI "`, `"Deploy"`, 1)
	tf.Write(t, "main.tf", config)
	tf.Apply(t)
	tf.ExpectNoChanges(t)
	tf.ExpectAttribute(t, address, "token", token)
	tf.Write(t, "main.tf", strings.Replace(config, stores, "", 1))
	tf.Apply(t)
	if !works(t, w, token) || strings.Contains(tf.StateFile(t), token) {
		t.Error("without store_token, the key is another one, or the state contains its token")
	}
}

// TestAccAPIKey_unknownPlace plans a store_token that is known only after apply. A plan
// that could keep or delete the key is an error.
func TestAccAPIKey_unknownPlace(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	config := func(stores bool, change, more string) string {
		return acctest.Resource("terraform_data.t", "triggers_replace = "+change, fmt.Sprintf("input = %t", stores)) +
			acctest.Resource(address, "store_token = terraform_data.t.output", more)
	}
	tf := w.Terraform(t, "")
	apply := func(stores bool, change, more string) {
		t.Helper()
		tf.Write(t, "key.tf", config(stores, change, more))
		tf.Apply(t)
		tf.ExpectNoChanges(t)
	}
	apply(true, "1", "")
	token := fmt.Sprint(tf.Attributes(t, address)["token"])
	apply(true, "2", "")
	tf.ExpectAttribute(t, address, "token", token)
	apply(false, "3", "")
	if !works(t, w, token) || strings.Contains(tf.StateFile(t), token) {
		t.Error("without store_token, the key is another one, or the state contains its token")
	}
	public, _ := testcert.SSHKeyPair("me@here")
	tf.Write(t, "key.tf", config(false, "3", recipient(public)))
	tf.Apply(t, tfexec.Replace(address))
	encrypted := fmt.Sprint(tf.Attributes(t, address)["encrypted_token"])
	apply(false, "4", recipient(public))
	tf.ExpectAttribute(t, address, "encrypted_token", encrypted)
	other, _ := testcert.SSHKeyPair("you@there")
	for _, more := range []string{"", recipient(other)} {
		tf.Write(t, "key.tf", config(false, "5", more))
		if out, err := tf.TryPlan(t); err == nil || !acctest.InError("Unknown place for the token", "terraform apply -target=ADDRESS").MatchString(out) {
			t.Errorf("%s: the plan prints %s", more, out)
		}
	}
	tf.Write(t, "key.tf", acctest.Resource("terraform_data.t", "triggers_replace = 6", "input = null")+
		acctest.Resource(address, "store_token = true", "token_recipient = terraform_data.t.output"))
	tf.Apply(t)
	token = fmt.Sprint(tf.Attributes(t, address)["token"])
	tf.Write(t, "key.tf", strings.Replace(tf.Read(t, "key.tf"), "= 6", "= 7", 1))
	tf.Apply(t)
	tf.ExpectAttribute(t, address, "token", token)
}

// TestAccAPIKey_encryptedToken decrypts the token with an ephemeral key. It appears in no
// plan and in no state.
func TestAccAPIKey_encryptedToken(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	public, private := testcert.SSHKeyPair("me@here")
	use := "variable \"identity\" {\n  type = string\n  ephemeral = true\n}\n" + acctest.Resource("tunnel_event_destination.user",
		"target = { datadog = {} }", "secret_wo = provider::tunnel::decrypt_token("+address+".encrypted_token, var.identity)", "secret_wo_version = 1")
	tf := w.Terraform(t, acctest.Resource(address, recipient(public+"\n"))+use)
	tf.Needs(t, acctest.WriteOnlyArguments)
	tf.SetVariables(t, map[string]any{"identity": private})
	tf.Apply(t)
	tf.ExpectNoChanges(t)
	p := w.Protocol(t)
	encrypted := fmt.Sprint(tf.Attributes(t, address)["encrypted_token"])
	decrypted, failed := p.Call("decrypt_token", acctest.Text(encrypted), acctest.Text(private))
	var token string
	if failed != nil || decrypted.As(&token) != nil || !works(t, w, token) {
		t.Fatalf("%v: the service rejects %q", failed, token)
	}
	planned, err := json.Marshal(tf.PlanJSON(t, tfexec.Replace(address)))
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"state": tf.StateFile(t), "plan": string(planned)} {
		if strings.Contains(text, token) {
			t.Errorf("the %s contains the token", what)
		}
	}
}

// TestAccAPIKey_otherPlaceReplaces also checks that the new key exists before the old one
// is deleted.
func TestAccAPIKey_otherPlaceReplaces(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	const first = "lifecycle {\n    create_before_destroy = true\n  }"
	one, _ := testcert.SSHKeyPair("one")
	two, _ := testcert.SSHKeyPair("two")
	replaces := func(attribute string) resource.TestStep {
		return resource.TestStep{
			PreConfig: w.ResetStats, Config: w.Config(acctest.Resource(address, attribute, first)), Check: w.CreatedBeforeDeleted("/api_keys"),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreateBeforeDestroy)),
		}
	}
	w.Run(t,
		resource.TestStep{Config: w.Config(acctest.Resource(address, recipient(one), first))},
		resource.TestStep{
			Config:           w.Config(acctest.Resource(address, recipient(one+" and a comment"), first)),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectEmptyPlan()),
		},
		replaces(recipient(two)), replaces(stores), replaces(recipient(one)),
	)
}

// TestAPIKey_recipientCannotEncrypt checks that a key whose token could not be encrypted
// is not created, also if the recipient is known only when the plan is applied.
func TestAPIKey_recipientCannotEncrypt(t *testing.T) {
	t.Parallel()
	const placeholder = "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z"
	w := acctest.Start(t)
	p := w.Protocol(t)
	known := values{"token_recipient": acctest.Text(placeholder)}
	acctest.Expect(t, p.PlanNew(kind, known).Diagnostics, isError, acctest.At("token_recipient"), "nothing can be encrypted")
	planned := p.PlanNew(kind, values{"token_recipient": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)})
	p.Must(planned.Diagnostics)
	object := p.Attributes(p.Value(p.Type(kind), planned.PlannedState))
	object["token_recipient"] = known["token_recipient"]
	resp, err := p.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: kind, PriorState: p.Dynamic(tftypes.NewValue(p.Type(kind), nil)), Config: p.Dynamic(acctest.Object(p.Type(kind), known)),
		PlannedState: p.Dynamic(tftypes.NewValue(p.Type(kind), object)),
	})
	if err != nil {
		t.Fatal(err)
	}
	acctest.Expect(t, resp.Diagnostics, isError, nil, "No API key was created", "token_recipient must be", "nothing can be encrypted")
	if keys := w.List("/api_keys"); len(keys) > 0 {
		t.Errorf("the account has %v", keys)
	}
}
