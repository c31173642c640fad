package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// startServer starts a test server. It also returns the ids of the server's
// objects that replace the ids in examples, by id prefix.
func startServer(t *testing.T, options ...testserver.Option) (*acctest.Env, map[string]string) {
	t.Helper()
	w := acctest.Start(t, options...)
	return w, map[string]string{
		"sshca": w.Parents.SSHCertificateAuthority, "edgtls": w.Parents.TLSEdge, "edgtcp": w.Parents.TCPEdge,
		"edghts": w.Parents.HTTPSEdge, "edghtsrt": w.Parents.HTTPSEdgeRoute, "esb": w.Parents.EventSubscription, "usr": w.AdminOwner,
		"ed": w.Create("/event_destinations", `{"target":{"debug":{"log":true}}}`),
	}
}

// startPopulatedServer is like startServer, and creates an object of every
// kind.
func startPopulatedServer(t *testing.T) (*acctest.Env, map[string]string) {
	t.Helper()
	w, ids := startServer(t)
	for _, kind := range acctest.Kinds {
		keys := map[string]string{}
		for name, example := range kind.ExampleKeys() {
			keys[name] = ids[prefix(example)]
		}
		for name, value := range kind.CreateIn(t, w, keys) {
			if example := kind.ExampleKeys()[name]; ids[prefix(example)] == "" {
				ids[prefix(example)] = value
			}
		}
	}
	return w, ids
}

// prefix returns the type prefix of an id.
func prefix(id string) string {
	before, _, _ := strings.Cut(id, "_")
	return before
}

var exampleID = regexp.MustCompile(`\b([a-z]+)_3YN[0-9A-Za-z]{24}\b`)

// substituteIDs replaces the ids in an example with ids of existing objects.
func substituteIDs(t *testing.T, example string, ids map[string]string) string {
	t.Helper()
	return exampleID.ReplaceAllStringFunc(example, func(id string) string {
		if ids[prefix(id)] == "" {
			t.Errorf("the example has %s, and there is no such object", id)
		}
		return ids[prefix(id)]
	})
}

// terraform returns a working directory with one example and the files that
// examples read.
func terraform(t *testing.T, w *acctest.Env, example string) *acctest.Terraform {
	t.Helper()
	tf := w.Terraform(t, "")
	writeFiles(t, tf, example)
	if strings.Contains(example, "required_providers") {
		// The provider runs in this process, so it cannot get its own environment
		// variables.
		tf.Write(t, "main.tf", strings.NewReplacer(
			`provider "tunnel" {}`, "provider \"tunnel\" {\n  api_key  = \""+w.AdminKey+"\"\n  base_url = \""+w.URL+"\"\n}",
			"provider \"tunnel\" {\n", "provider \"tunnel\" {\n  api_key  = \""+w.AdminKey+"\"\n",
			"https://api.example.com", w.URL,
		).Replace(example))
	} else {
		tf.Write(t, "example.tf", example)
	}
	return tf
}

// writeFiles writes the files that examples read, and sets the variables that an
// example has.
func writeFiles(t *testing.T, tf *acctest.Terraform, example string) {
	t.Helper()
	tf.Needs(t, acctest.WriteOnlyArguments)
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	public, _ := sshKeys()
	if err := os.WriteFile(filepath.Join(home, ".ssh", "id_ed25519.pub"), []byte(public+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := writeCertificate(t, tf, ".")
	tf.Setenv(map[string]string{"HOME": home})
	values := map[string]any{}
	for name, value := range variables(t, key) {
		if strings.Contains(example, fmt.Sprintf("variable %q", name)) {
			values[name] = value
		}
	}
	if len(values) > 0 {
		tf.SetVariables(t, values)
	}
}

// writeCertificate writes the certificates and private keys that examples read,
// and returns one of the private keys.
func writeCertificate(t *testing.T, tf *acctest.Terraform, dir string) (key string) {
	t.Helper()
	for _, host := range []string{"app.example.com", "www.example.com"} {
		var chain string
		chain, key = testcert.Certificate(t, host)
		tf.Write(t, filepath.Join(dir, host+".pem"), chain)
		tf.Write(t, filepath.Join(dir, host+".key"), key)
	}
	return key
}

// variables returns the values of the variables that examples have.
func variables(t *testing.T, key string) map[string]string {
	t.Helper()
	_, identity := sshKeys()
	return map[string]string{
		"private_key": key, "datadog_api_key": "0123456789abcdef0123456789abcdef", "bastion_host_key": testcert.PublicKey(t, "root@bastion"),
		"identity": identity,
	}
}

// sshKeys returns the SSH key pair of whoever applies the examples.
var sshKeys = sync.OnceValues(func() (public, private string) { return testcert.SSHKeyPair("me@here") })

// modules returns a working directory that calls each of the named examples as
// a module, so that one run of Terraform applies them all. A module has the
// path of its example as its name, with _ instead of other characters.
func modules(t *testing.T, w *acctest.Env, ids map[string]string, names []string) *acctest.Terraform {
	t.Helper()
	tf := terraform(t, w, "")
	var calls strings.Builder
	for _, name := range names {
		example, module := substituteIDs(t, read(t, name), ids), moduleName(name)
		if err := os.Mkdir(filepath.Join(tf.Dir, module), 0o700); err != nil {
			t.Fatal(err)
		}
		key := writeCertificate(t, tf, module)
		tf.Write(t, filepath.Join(module, "main.tf"), example)
		tf.Write(t, filepath.Join(module, "versions.tf"), acctest.RequiredProviders)
		fmt.Fprintf(&calls, "module %q {\n  source = \"./%s\"\n", module, module)
		for variable, value := range variables(t, key) {
			if strings.Contains(example, fmt.Sprintf("variable %q", variable)) {
				fmt.Fprintf(&calls, "  %s = %q\n", variable, value)
			}
		}
		calls.WriteString("}\n")
	}
	tf.Write(t, "example.tf", calls.String())
	tf.Run(t, "get")
	return tf
}

var notInName = regexp.MustCompile(`[^a-z0-9_]`)

func moduleName(example string) string {
	return notInName.ReplaceAllString(strings.TrimSuffix(example, ".tf"), "_")
}
