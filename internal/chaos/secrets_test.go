package chaos

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const secretsConfig = `
provider "tunnel" {
  headers         = { X-Gateway = var.gateway }
  request_timeout = "2s"
}

variable "chains" {
  type = list(string)
}

variable "keys" {
  type      = list(string)
  sensitive = true
  ephemeral = true
}

variable "kept_key" { # which a state holds, by the name of its attribute
  type      = string
  sensitive = true
}

variable "gateway" {
  type      = string
  sensitive = true
  ephemeral = true
}

variable "revision" {
  default = 1
}

resource "tunnel_tls_certificate" "all" {
  count                      = 3
  description                = "spoken of nowhere ${var.revision}"
  certificate_pem            = var.chains[count.index]
  private_key_pem_wo         = var.keys[count.index]
  private_key_pem_wo_version = 1
}

resource "tunnel_tls_certificate" "kept" {
  certificate_pem = var.chains[3]
  private_key_pem = var.kept_key
}

resource "tunnel_group_backend" "all" {
  count       = 3
  description = "spoken of nowhere ${var.revision}"
  labels      = { app = "web" }
}
`

// TestAccSecrets_stayInTheProvider runs a whole lifecycle with trace logs: with
// a service that repeats request headers in its errors, with broken responses,
// with a wrong key, and with a provider that crashes. Secrets that Terraform
// itself would otherwise store are ephemeral variables and write-only
// arguments.
func TestAccSecrets_stayInTheProvider(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	var crash atomic.Bool
	var tf *terraform
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPatch && strings.Contains(r.URL.Path, "/tls_certificates") && crash.Load():
			tf.signal(syscall.SIGQUIT) // SIGQUIT prints all goroutines
		case r.Method == http.MethodPost && strings.Contains(r.URL.Path, "/backends/tunnel_group") && r.Header.Get("Authorization") != "Bearer "+w.AdminKey:
			rw.Header().Set("Content-Type", "application/json")
			rw.WriteHeader(http.StatusForbidden)
			answer, _ := json.Marshal(map[string]string{"msg": "no such key: " + r.Header.Get("Authorization") + ", gateway " + r.Header.Get("X-Gateway")})
			_, _ = rw.Write(answer)
			return
		}
		w.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	w.URL = front.URL

	tf = newTerraform(t, front.URL, w.AdminKey, secretsConfig)
	var chains, keys []string
	secrets := map[string]string{w.AdminKey: "the API key", "gateway-secret-0123456789": "a header", "wrong-key-0123456789": "a wrong API key"}
	kept := map[string]bool{} // secrets that are allowed in a state or plan only
	for i := range 4 {
		chain := testcert.ChainOf{}.New(t)
		chains, keys = append(chains, chain.PEM()), append(keys, chain.PKCS8(t))
		before := maps.Clone(secrets)
		for _, key := range []string{chain.PKCS8(t), testcert.Traditional(t, chain.Signer)} {
			lines := strings.Split(strings.TrimSpace(key), "\n")
			body := strings.Join(lines[1:len(lines)-1], "")
			der, err := base64.StdEncoding.DecodeString(body)
			if err != nil {
				t.Fatal(err)
			}
			secrets[lines[2]] = "a private key"
			secrets[body[60:120]] = "a private key without line ends"
			secrets[base64.StdEncoding.EncodeToString([]byte(key))[40:120]] = "a private key in base64"
			secrets[string(der[len(der)/2:])] = "a private key in DER"
		}
		for secret := range secrets {
			if _, older := before[secret]; i == 3 && !older {
				kept[secret] = true
			}
		}
	}
	variables, err := json.Marshal(map[string]any{"chains": chains, "keys": keys[:3], "kept_key": keys[3], "gateway": "gateway-secret-0123456789"})
	if err != nil {
		t.Fatal(err)
	}
	input := filepath.Join(t.TempDir(), "input.tfvars.json")
	if err := os.WriteFile(input, variables, 0o600); err != nil {
		t.Fatal(err)
	}
	tf.Log("trace.log")
	given := "-var-file=" + input

	tf.Run(t, "validate", "-no-color")
	tf.Plan(t, "-out=saved.plan", given)
	tf.Write(t, "plan.json", string(tf.Stdout(t, "show", "-json", "saved.plan")))
	w.SetRules(
		testserver.Rule{Behavior: "reset_after", Method: http.MethodPost, Count: 2},
		testserver.Rule{Behavior: "html", Method: http.MethodPost, Count: 1},
	)
	if out, err := tf.TryApply(t, given, "saved.plan"); err == nil || !strings.Contains(out, "Could not determine whether") {
		t.Errorf("lost answers were not reported:\n%s", acctest.Summary(out))
	}
	w.SetRules()
	tf.Apply(t, given)
	tf.ExpectNoChanges(t, given)
	tf.Write(t, "state.json", string(tf.Stdout(t, "show", "-json")))

	tf.Setenv(map[string]string{"TUNNEL_API_KEY": "wrong-key-0123456789"})
	if out, err := tf.TryApply(t, "-refresh=false", "-replace=tunnel_group_backend.all[0]", given, "-var=revision=2"); err == nil {
		t.Errorf("a wrong key was accepted:\n%s", acctest.Summary(out))
	}
	tf.Setenv(map[string]string{"TUNNEL_API_KEY": w.AdminKey})
	if runtime.GOOS == "linux" {
		crash.Store(true)
		if out, err := tf.TryApply(t, given, "-var=revision=3"); err == nil {
			t.Errorf("the provider did not crash:\n%s", acctest.Summary(out))
		}
		crash.Store(false)
	}
	tf.Apply(t, given, "-var=revision=4")
	tf.Destroy(t, given)
	tf.Write(t, "output.txt", tf.Output.String())

	searched := 0
	err = filepath.WalkDir(tf.Dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "main.tf" {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		searched += len(content)
		for secret, what := range secrets {
			if kept[secret] && (strings.Contains(entry.Name(), "tfstate") || strings.HasSuffix(entry.Name(), ".json") || entry.Name() == "saved.plan") {
				continue
			}
			if at := strings.Index(string(content), secret); at >= 0 {
				line := string(content)[max(0, at-300):at]
				t.Errorf("%s holds %s, after %q", entry.Name(), what, line)
			}
		}
		for line := range strings.Lines(string(content)) {
			if entry.Name() == "trace.log" && strings.Contains(line, "terraform-provider-tunnel") && strings.Contains(line, "spoken of nowhere") {
				t.Errorf("the provider's log repeats a body: %s", line)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if t.Failed() {
		return
	}
	t.Logf("%d secrets looked for in %d bytes of logs, states, plans and output: 0 found", len(secrets), searched)
}
