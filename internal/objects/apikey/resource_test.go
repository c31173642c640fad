package apikey_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const (
	kind    = "tunnel_api_key"
	address = kind + ".test"
	isError = tfprotov6.DiagnosticSeverityError
	stores  = `store_token = true`
)

type values = map[string]tftypes.Value

func recipient(public string) string { return fmt.Sprintf("token_recipient = %q", public) }

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
	tf.Log("trace.log")
	out, err := tf.TryApply(t)
	if err == nil || token == "" || !acctest.InError("502 Bad Gateway", "message hidden because").MatchString(out) {
		t.Errorf("%v:\n%s", err, acctest.Summary(out))
	}
	if strings.Contains(out+tf.Read(t, "trace.log"), token) {
		t.Error("the output or the log contains the token")
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
