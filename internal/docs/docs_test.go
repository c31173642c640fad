package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// newWorld returns a World and the ids of its objects that replace the ids in examples, by id prefix.
func newWorld(t *testing.T) (*acctest.World, map[string]string) {
	t.Helper()
	w := acctest.Start(t)
	return w, map[string]string{
		"sshca": w.Parents.SSHCertificateAuthority, "edgtls": w.Parents.TLSEdge, "edgtcp": w.Parents.TCPEdge,
		"edghts": w.Parents.HTTPSEdge, "edghtsrt": w.Parents.HTTPSEdgeRoute, "esb": w.Parents.EventSubscription, "usr": w.AdminOwner,
	}
}

// populatedWorld returns a World with an object of every kind.
func populatedWorld(t *testing.T) (*acctest.World, map[string]string) {
	t.Helper()
	w, ids := newWorld(t)
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

// terraform returns a working directory with one example and the files that examples read.
func terraform(t *testing.T, w *acctest.World, example string) *acctest.Terraform {
	t.Helper()
	tf := w.Terraform(t, "")
	tf.Needs(t, acctest.WriteOnlyArguments)
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".ssh", "id_ed25519.pub"), []byte(acctest.PublicKey(t, "me@here")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	chain, key := acctest.Certificate(t, "www.example.com")
	tf.Write(t, "www.example.com.pem", chain)
	tf.Write(t, "www.example.com.key", key)
	tf.Setenv(t, map[string]string{"HOME": home})
	if strings.Contains(example, `variable "private_key"`) {
		tf.SetVariables(t, map[string]any{"private_key": key})
	}
	if strings.Contains(example, `variable "bastion_host_key"`) {
		tf.SetVariables(t, map[string]any{"bastion_host_key": acctest.PublicKey(t, "root@bastion")})
	}
	if strings.Contains(example, "required_providers") {
		// The provider runs in this process, so it cannot get its own environment variables.
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
