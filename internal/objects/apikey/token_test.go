package apikey_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

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

// TestAPIKey_placeOfTheToken changes where the token is stored. An update, and a service
// that changes what it stores, keep the token. Without store_token, the state forgets it.
// Nobody knows the token of an imported key, so no argument replaces it.
func TestAPIKey_placeOfTheToken(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t, testserver.WithBehavior("text_trimmed"))
	p := w.Protocol(t)
	one, _ := testcert.SSHKeyPair("one")
	two, _ := testcert.SSHKeyPair("two")
	config := func(arguments map[string]any) tftypes.Value { return acctest.FromJSON(p.Type(kind), arguments) }
	stored, none := map[string]any{"store_token": true, "description": " CI "}, map[string]any{}
	for1, for2 := map[string]any{"token_recipient": one}, map[string]any{"token_recipient": two}

	state, _ := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), config(stored))
	token := p.Strings(state)["token"]
	state, found := p.Apply(kind, state, config(map[string]any{"store_token": true, "description": "Deploy"}))
	if acctest.ExpectNone(t, found); p.Strings(state)["token"] != token || !works(t, w, token) {
		t.Errorf("the token is another one: %s", state)
	}
	encrypted, _ := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), config(for1))
	for _, test := range []struct {
		prior    tftypes.Value
		given    map[string]any
		replaces bool
	}{
		{state, for1, true}, {state, none, false}, {encrypted, for2, true}, {encrypted, stored, true},
		{encrypted, map[string]any{"token_recipient": one + " and a comment"}, false},
	} {
		if plan := p.Plan(kind, test.prior, config(test.given)); len(plan.RequiresReplace) > 0 != test.replaces {
			t.Errorf("%v is replaced for %v: %v", test.given, plan.RequiresReplace, plan.Diagnostics)
		}
	}
	state, _ = p.Apply(kind, state, config(none))
	imported, _ := p.Import(kind, w.Create("/api_keys", `{"description": "by hand"}`), nil)
	p.PlansNoChange(kind, imported)
	for _, given := range []map[string]any{stored, for1, none} {
		imported, _ = p.Apply(kind, imported, config(given))
		for _, state := range []tftypes.Value{state, imported} {
			if known := p.Attributes(state); !known["token"].IsNull() || !known["encrypted_token"].IsNull() {
				t.Errorf("with %v, the state has a token: %s", given, state)
			}
		}
	}
	if !works(t, w, token) {
		t.Error("the key is another one")
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
	holds := func(name, want string) {
		t.Helper()
		if got := tf.Attributes(t, address)[name]; got != want {
			t.Errorf("%s is %v, want %s", name, got, want)
		}
	}
	apply(true, "1", "")
	token := fmt.Sprint(tf.Attributes(t, address)["token"])
	apply(true, "2", "")
	holds("token", token)
	apply(false, "3", "")
	if !works(t, w, token) || strings.Contains(tf.StateFile(t), token) {
		t.Error("without store_token, the key is another one, or the state contains its token")
	}
	public, _ := testcert.SSHKeyPair("me@here")
	tf.Write(t, "key.tf", config(false, "3", recipient(public)))
	tf.Apply(t, "-replace="+address)
	encrypted := fmt.Sprint(tf.Attributes(t, address)["encrypted_token"])
	apply(false, "4", recipient(public))
	holds("encrypted_token", encrypted)
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
	holds("token", token)
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
	tf.Plan(t, "-out=replace.plan", "-replace="+address)
	planned := tf.Stdout(t, "show", "-json", "replace.plan")
	for what, text := range map[string]string{"state": tf.StateFile(t), "plan": string(planned)} {
		if strings.Contains(text, token) {
			t.Errorf("the %s contains the token", what)
		}
	}
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
