package apikey_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const (
	kind    = "tunnel_api_key"
	address = kind + ".test"
	isError = tfprotov6.DiagnosticSeverityError
	stores  = `store_token = true`
)

type values = map[string]tftypes.Value

func recipient(public string) string { return fmt.Sprintf("token_recipient = %q", public) }

func TestAccAPIKey_lifecycle(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	bot := w.Create("/bot_users", `{"name": "ci"}`)
	owner := fmt.Sprintf("owner_id = %q", bot)
	acctest.Lifecycle{
		Resource:  address,
		Full:      acctest.Resource(address, `description = "CI"`, `metadata = "m"`, owner, stores),
		Imported:  acctest.Resource(address, `description = "CI"`, `metadata = "m"`, owner),
		IsFull:    map[string]any{"description": "CI", "metadata": "m", "owner_id": bot},
		Changed:   acctest.Resource(address, `description = "Deploy"`, `metadata = "n"`, owner, stores),
		IsChanged: map[string]any{"description": "Deploy", "metadata": "n"},
		Minimal:   acctest.Resource(address),
		IsMinimal: map[string]any{"description": "", "metadata": "", "owner_id": bot},
		Drift:     `{"description": "by hand"}`,
	}.Run(t, w)
}

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
	w := acctest.Start(t, testserver.WithNormalRules("text_trimmed"))
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
	tf.Write(t, "key.tf", config(false, "5", ""))
	if out, err := tf.TryPlan(t); err == nil || !acctest.InError("Unknown place for the token", "terraform apply -target=ADDRESS").MatchString(out) {
		t.Errorf("the plan prints %s", out)
	}
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

// TestAccAPIKey_imported checks that no argument replaces an imported key, whose token
// nobody knows.
func TestAccAPIKey_imported(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	id := w.Create("/api_keys", `{"description": "by hand"}`)
	description := `description = "by hand"`
	config := func(rest string) string {
		return w.Config(fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", address, id) + acctest.Resource(address, description, rest))
	}
	public, _ := testcert.SSHKeyPair("")
	changes := func(rest string, paths ...string) resource.TestStep {
		return resource.TestStep{Config: config(rest), ConfigPlanChecks: acctest.Planned(acctest.ExpectChanges(address, paths...)),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact(id)),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("token"), knownvalue.Null()),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("encrypted_token"), knownvalue.Null()),
			}}
	}
	w.Run(t,
		resource.TestStep{Config: config(""), ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop))},
		changes(stores, "store_token"),
		changes(recipient(public), "store_token", "token_recipient"),
		changes("", "token_recipient"),
	)
	w.ImportsPlanNoChange(t, map[string]string{address: w.Create("/api_keys", `{}`)})
}

// through returns a configuration with an API key whose responses something between
// Terraform and the service changes.
func through(t *testing.T, w *acctest.Env, change func(r *http.Request, status int, body string) (int, string)) *acctest.Terraform {
	t.Helper()
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		got := httptest.NewRecorder()
		w.ServeHTTP(got, r)
		maps.Copy(rw.Header(), got.Header())
		rw.Header().Del("Content-Length")
		status, body := change(r, got.Code, got.Body.String())
		rw.WriteHeader(status)
		_, _ = io.WriteString(rw, body)
	}))
	t.Cleanup(front.Close)
	tf := w.Terraform(t, acctest.Resource(address, stores))
	tf.Write(t, "main.tf", strings.Replace(tf.Read(t, "main.tf"), w.URL, front.URL, 1))
	return tf
}

// TestAccAPIKey_tokenInAnError checks that an error which repeats the token hides it.
func TestAccAPIKey_tokenInAnError(t *testing.T) {
	t.Parallel()
	token := ""
	tf := through(t, acctest.Start(t), func(r *http.Request, status int, body string) (int, string) {
		if r.Method != http.MethodPost {
			return status, body
		}
		_, token, _ = strings.Cut(body, `"token":"`)
		token, _, _ = strings.Cut(token, `"`)
		return http.StatusBadGateway, `{"msg": "could not store the key ` + token + `"}`
	})
	tf.Log(t, "trace.log")
	out, err := tf.TryApply(t)
	if err == nil || token == "" || !acctest.InError("502 Bad Gateway", "message hidden because").MatchString(out) {
		t.Errorf("%v:\n%s", err, acctest.Summary(out))
	}
	if strings.Contains(out+tf.Read(t, "trace.log"), token) {
		t.Error("the output or the log contains the token")
	}
}

// TestAccAPIKey_lostResponse checks that the advice is to delete the key, not to import
// it.
func TestAccAPIKey_lostResponse(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lost, list testserver.FaultKind
		want       string
	}{
		"created":      {testserver.FaultResetAfter, "", "newest first, delete only"},
		"not created":  {testserver.FaultResetBefore, "", "No matching object is visible yet"},
		"not readable": {testserver.FaultResetAfter, testserver.FaultHTML, "The provider could not look at all objects"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			faults := []testserver.Fault{{Method: "POST", Route: "/api_keys", Kind: test.lost, Count: 1}}
			if test.list != "" {
				faults = append(faults, testserver.Fault{Method: "GET", Route: "/api_keys", Kind: test.list, Status: 403})
			}
			w.SetFaults(faults...)
			tf := w.Terraform(t, acctest.Resource(address, stores, `description = "lost"`))
			out, err := tf.TryApply(t)
			if err == nil || strings.Contains(out, "import it") || !acctest.InError("Could not determine whether the API key was created",
				"its token is lost", "Do not import such an API key: delete it in the service, and apply again", test.want).MatchString(out) {
				t.Errorf("%v:\n%s", err, acctest.Summary(out))
			}
		})
	}
}

// TestAccAPIKey_noToken checks that a key without a token is an error, and that the next
// apply replaces it.
func TestAccAPIKey_noToken(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	field := `"other":"`
	tf := through(t, w, func(_ *http.Request, status int, body string) (int, string) {
		return status, strings.Replace(body, `"token":"`, field, 1)
	})
	if out, err := tf.TryApply(t); err == nil || !acctest.InError("Response without a token", "The next apply replaces the key").MatchString(out) ||
		strings.Contains(out, "could not be saved") {
		t.Errorf("%v:\n%s", err, acctest.Summary(out))
	}
	field = `"token":"`
	tf.Apply(t)
	tf.ExpectNoChanges(t)
	if left := w.List("/api_keys"); len(left) != 1 || !works(t, w, fmt.Sprint(tf.Attributes(t, address)["token"])) {
		t.Errorf("the account has %v", left)
	}
}

func TestAPIKey_invalidConfig(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	public, private := testcert.SSHKeyPair("")
	identity := "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ"
	for text, want := range map[string]string{
		private: "found a private key", identity: "found a private key. Use the output of age-keygen", "age1qqqq": "is damaged or needs a plugin",
		"ssh-ed25519 AAAA": "is not a valid SSH public key", "me": "found a string of another form",
	} {
		found := p.Check(kind, values{"token_recipient": acctest.Text(text)})
		acctest.Expect(t, found, isError, acctest.At("token_recipient"), want)
		if len(text) > 20 && strings.Contains(found[0].Detail, text[len(text)-20:]) {
			t.Errorf("the text is repeated: %s", found[0].Detail)
		}
	}
	both := values{"token_recipient": acctest.Text(public), "store_token": tftypes.NewValue(tftypes.Bool, true)}
	acctest.Expect(t, p.Check(kind, both), isError, acctest.At("store_token"), "found both")
	acctest.Expect(t, p.PlanNew(kind, nil).Diagnostics, isError, acctest.At("token_recipient"), "Set token_recipient", "or store_token to true")
	unknown := values{"token_recipient": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}
	acctest.ExpectNone(t, p.PlanNew(kind, unknown).Diagnostics)
}
