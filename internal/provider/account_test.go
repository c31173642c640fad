package provider_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// createAccount creates an account without Terraform. For the kinds in
// accountForms, it creates many objects in many forms, and for other kinds one
// object each. It returns the number of all objects, including the parents.
func createAccount(t *testing.T, w *acctest.Env) (size int) {
	t.Helper()
	for _, kind := range acctest.Kinds {
		parents := kind.Parents(t, w)
		forms, ok := accountForms[kind.Type]
		if !ok {
			kind.CreateIn(t, w, parents)
			continue
		}
		for _, body := range forms(t, w) {
			w.Create(kind.ListPath(parents), quoted(body))
		}
	}
	return len(w.Paths())
}

type body = map[string]any

// accountForms creates request bodies in many forms, by resource type.
var accountForms = map[string]func(t *testing.T, w *acctest.Env) []body{
	"tunnel_ssh_credential": func(t *testing.T, w *acctest.Env) []body {
		return bodies(60, func(i int, b body) {
			b["public_key"] = testcert.PublicKey(t, []string{"", "a@b", "two words"}[i%3])
			if i%2 == 0 {
				b["acl"] = [][]string{{}, {"*"}, {"bind:*.example.com", "bind:env=prod", "bind:1.tcp.example.com:20001"}}[i%3]
			}
			if i%5 == 0 {
				b["owner_id"] = w.OrdinaryOwner
			}
		})
	},
	"tunnel_ssh_host_certificate": func(t *testing.T, w *acctest.Env) []body {
		return bodies(60, func(i int, b body) {
			b["ssh_certificate_authority_id"], b["public_key"] = w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, "root@host")
			if i%2 == 0 {
				b["principals"] = []string{fmt.Sprintf("host%d.example.com", i), "*.internal", "192.0.2.1"}
			}
			if i%3 == 0 {
				b["valid_until"] = time.Now().Add(time.Duration(i+1) * time.Hour).UTC().Format(time.RFC3339)
			}
		})
	},
	"tunnel_tls_certificate": func(t *testing.T, _ *acctest.Env) []body {
		return bodies(40, func(i int, b body) {
			chain := testcert.ChainOf{Intermediates: i % 3, Names: []string{fmt.Sprintf("www%d.example.com", i), "*.example.net"}, Key: []string{"", "ed25519", "p384"}[i%3]}.New(t)
			b["certificate_pem"], b["private_key_pem"] = chain.PEM(), chain.PKCS8(t)
		})
	},
}

// bodies returns n bodies with various descriptions and metadata. complete sets
// the other fields.
func bodies(n int, complete func(i int, b body)) []body {
	all := make([]body, n)
	for i := range all {
		all[i] = body{}
		if i%3 > 0 {
			all[i]["description"] = fmt.Sprintf("number %d, \"quoted\" ${not} %%{a template} ü", i)
		}
		if i%4 == 0 {
			all[i]["metadata"] = fmt.Sprintf("{\"n\": %d,\n \"a\": []}", i)
		}
		complete(i, all[i])
	}
	return all
}

// This test lists, imports and plans all objects, without Terraform.
func TestWholeAccount_importByIdentity(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		size := createAccount(t, w)
		p := w.Protocol(t)
		count := 0
		for _, kind := range acctest.Kinds {
			for _, listed := range p.List(kind.Type, 0, nil) {
				count++
				imported, keys := p.Import(kind.Type, "", listed.Identity)
				if !imported.Equal(listed.Resource) && !strings.HasSuffix(t.Name(), "other_behavior") { // this server returns each value in a different notation
					diff, _ := imported.Diff(listed.Resource)
					t.Errorf("%s %v: listed otherwise than read: %v", kind.Type, keys, diff)
				}
				p.PlansNoChange(kind.Type, imported)
			}
		}
		if count != size {
			t.Errorf("%d objects, want %d", count, size)
		}
	})
}

// Terraform queries the whole account and generates its configuration.
func TestAccWholeAccount_query(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		tf := w.Terraform(t, "")
		tf.Needs(t, acctest.Query)
		tf.Init(t)
		size := createAccount(t, w)
		var query strings.Builder
		for _, kind := range acctest.Kinds {
			fmt.Fprintf(&query, "list %q \"all\" {\n  provider         = tunnel\n  include_resource = true\n  limit            = 1000\n}\n", kind.Type)
		}
		tf.Write(t, "account.tfquery.hcl", query.String())
		tf.Run(t, "query", "-no-color", "-generate-config-out=generated.tf")
		out := tf.Plan(t, "-out=import.plan")
		if want := fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", size); !strings.Contains(out, want) {
			t.Fatalf("want %s:\n%s", want, acctest.Summary(out))
		}
		tf.Apply(t, "import.plan")
		tf.ExpectNoChanges(t)
	})
}
