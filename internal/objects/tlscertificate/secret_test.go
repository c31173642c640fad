package tlscertificate_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func TestMain(m *testing.M) { os.Exit(acctest.Main(m)) }

const address = "tunnel_tls_certificate.test"

// config returns a certificate with additional arguments. If key is not empty,
// it sets private_key_pem.
func config(chain, key string, more ...string) string {
	if key != "" {
		more = append(more, fmt.Sprintf("private_key_pem = %q", key))
	}
	return acctest.Resource(address, append(more, fmt.Sprintf("certificate_pem = %q", chain))...)
}

// TestAccTLSCertificate_writeOnlyKeyStaysSecret reads the key from a file
// outside of the working directory. If a file in the directory contains the
// key, Terraform or the provider wrote it.
func TestAccTLSCertificate_writeOnlyKeyStaysSecret(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	echo := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		var sent struct {
			Key string `json:"private_key_pem"`
		}
		_ = json.NewDecoder(r.Body).Decode(&sent)
		rw.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(rw, `{"backends":[],"uri":"u"}`)
			return
		}
		rw.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(rw).Encode(map[string]any{"error_code": "ERR_TUNNEL_400", "status_code": 400, "msg": "I do not like " + sent.Key})
	}))
	t.Cleanup(echo.Close)

	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	key := chain.PKCS8(t)
	keyFile := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(keyFile, []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	with := func(chain, attribute string, version int) string {
		return config(chain, "", fmt.Sprintf("%s = file(%q)\n  private_key_pem_wo_version = %d", attribute, keyFile, version))
	}
	tf, _ := acctest.Installed(t, w.Config("")+with(chain.PEM(), "private_key_pem_wo", 1))
	tf.Log("trace.log")
	block := strings.TrimSuffix(tf.Read(t, "main.tf"), with(chain.PEM(), "private_key_pem_wo", 1))

	var said strings.Builder
	succeeds := func(out string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%v\n%s", err, acctest.Summary(out))
		}
		said.WriteString(out)
	}
	fails := func(out string, err error) {
		t.Helper()
		if err == nil {
			t.Fatalf("expected an error:\n%s", acctest.Summary(out))
		}
		said.WriteString(out)
	}
	succeeds(tf.TryPlan(t, "-out=create.plan"))
	succeeds(tf.Try(t, "show", "-json", "create.plan"))
	succeeds(tf.TryApply(t, "create.plan"))
	succeeds(tf.Try(t, "show", "-json"))
	succeeds(tf.Try(t, "state", "pull"))

	tf.Write(t, "main.tf", block+with(chain.PEM(), "private_key_pem_wo", 2))
	succeeds(tf.TryApply(t))

	// Errors: a key of another certificate, a damaged key, a key in the wrong
	// attribute, and a service that repeats the request in its error.
	tf.Write(t, "main.tf", block+with(testcert.ChainOf{}.New(t).PEM(), "private_key_pem_wo", 2))
	fails(tf.TryPlan(t))
	tf.Write(t, "main.tf", block+strings.Replace(with(chain.PEM(), "private_key_pem_wo", 2), "= file(", "= replace(file(", 1))
	tf.Write(t, "main.tf", strings.Replace(tf.Read(t, "main.tf"), "key.pem\")", "key.pem\"), \"BEGIN\", \"BEGIN EC\")", 1))
	fails(tf.TryPlan(t))
	tf.Write(t, "main.tf", block+"resource \"tunnel_ssh_credential\" \"test\" {\n  public_key = file(\""+keyFile+"\")\n}\n")
	fails(tf.Try(t, "plan", "-json"))
	tf.Write(t, "main.tf", strings.Replace(block, w.URL, echo.URL, 1)+
		strings.Replace(with(chain.PEM(), "private_key_pem_wo", 1), `"test"`, `"echoed"`, 1))
	fails(tf.TryApply(t, "-refresh=false", "-target=tunnel_tls_certificate.echoed"))

	if !acctest.InError("message hidden because").MatchString(said.String()) {
		t.Errorf("the service did not repeat the key:\n%s", acctest.Summary(said.String()))
	}

	if found := secretIn(t, tf.Dir, key); len(found) > 0 {
		t.Errorf("the private key is in %v", found)
	}
	if holdsSecret([]byte(said.String()), key) {
		t.Error("Terraform printed the private key")
	}

	// Check that the search finds a key in the state.
	tf.Write(t, "main.tf", block+strings.Replace(with(chain.PEM(), "private_key_pem", 2), "private_key_pem_wo_version = 2", "", 1))
	succeeds(tf.TryApply(t))
	if found := secretIn(t, tf.Dir, key); len(found) == 0 {
		t.Error("the search does not find a key where there is one")
	}
}

// secretIn returns the files of a directory, and the members of plan files,
// that contain a key.
func secretIn(t *testing.T, dir, key string) []string {
	t.Helper()
	var found []string
	trace := false
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		trace = trace || entry.Name() == "trace.log" && bytes.Contains(content, []byte("tls_certificates"))
		if holdsSecret(content, key) {
			found = append(found, path)
		}
		archive, err := zip.OpenReader(path)
		if err != nil {
			return nil //nolint:nilerr // not a plan file
		}
		defer archive.Close()
		for _, member := range archive.File {
			reader, err := member.Open()
			if err != nil {
				return err
			}
			content, err := io.ReadAll(reader)
			if err != nil {
				return err
			}
			if holdsSecret(content, key) {
				found = append(found, path+": "+member.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !trace {
		t.Error("the log at TRACE says nothing of the provider's requests")
	}
	return found
}

func holdsSecret(content []byte, key string) bool {
	for line := range strings.Lines(key) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "-----") && bytes.Contains(content, []byte(line)) {
			return true
		}
	}
	return false
}
