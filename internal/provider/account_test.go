package provider_test

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// An account is what somebody made without Terraform: 250 objects of mixed kinds,
// in the many forms that they come in.
func account(t *testing.T, w *acctest.World) {
	t.Helper()
	details := func(i int) map[string]any {
		body := map[string]any{}
		if i%3 > 0 {
			body["description"] = fmt.Sprintf("number %d, \"quoted\" ${not} %%{a template} ü", i)
		}
		if i%4 == 0 {
			body["metadata"] = fmt.Sprintf("{\"n\": %d,\n \"a\": []}", i)
		}
		return body
	}
	create := func(path string, i int, own map[string]any) string {
		body := details(i)
		maps.Copy(body, own)
		return w.Create(path, quoted(body))
	}
	for i := range 60 {
		own := map[string]any{"public_key": acctest.PublicKey(t, []string{"", "a@b", "two words"}[i%3])}
		if i%2 == 0 {
			own["acl"] = [][]string{{}, {"*"}, {"bind:*.example.com", "bind:env=prod", "bind:1.tcp.example.com:20001"}}[i%3]
		}
		if i%5 == 0 {
			own["owner_id"] = w.OrdinaryOwner
		}
		create("/ssh_credentials", i, own)
	}
	for i := range 60 {
		own := map[string]any{"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority, "public_key": acctest.PublicKey(t, "root@host")}
		if i%2 == 0 {
			own["principals"] = []string{fmt.Sprintf("host%d.example.com", i), "*.internal", "192.0.2.1"}
		}
		if i%3 == 0 {
			own["valid_until"] = time.Now().Add(time.Duration(i+1) * time.Hour).UTC().Format(time.RFC3339)
		}
		create("/ssh_host_certificates", i, own)
	}
	for i := range 40 {
		chain := acctest.ChainOf{Intermediates: i % 3, Names: []string{fmt.Sprintf("www%d.example.com", i), "*.example.net"}, Key: []string{"", "ed25519", "p384"}[i%3]}.New(t)
		create("/tls_certificates", i, map[string]any{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t)})
	}
	var groups []string
	for i := range 50 {
		groups = append(groups, create("/backends/tunnel_group", i, map[string]any{"labels": map[string]string{"app": fmt.Sprint(i), "env": "prod"}}))
	}
	for i := range 30 {
		create("/backends/failover", i, map[string]any{"backends": []string{groups[(i*7)%50], groups[(i*7+3)%50]}})
	}
	for i := range 10 {
		w.Create("/event_subscriptions/"+url.PathEscape(w.Parents.EventSubscription)+"/sources", fmt.Sprintf(`{"type": "type%d_created.v0"}`, i))
	}
}

const accountSize = 250

// lists are the lists that have all of an account.
func lists(w *acctest.World) map[string]arguments {
	return map[string]arguments{
		"tunnel_ssh_credential": nil, "tunnel_ssh_host_certificate": nil, "tunnel_tls_certificate": nil,
		"tunnel_group_backend": nil, "tunnel_failover_backend": nil,
		"tunnel_event_source": {"subscription_id": text(w.Parents.EventSubscription)},
	}
}

// TestAnAccountComesUnderManagement needs no Terraform: list, import by what was
// listed, read, plan.
func TestAnAccountComesUnderManagement(t *testing.T) {
	acctest.Everywhere(t, func(t *testing.T, w *acctest.World) {
		account(t, w)
		p := w.Protocol(t)
		count := 0
		for kind, given := range lists(w) {
			for _, listed := range p.List(kind, 0, given) {
				count++
				imported, keys := p.Import(kind, "", listed.Identity)
				if !imported.Equal(listed.Resource) && !strings.HasSuffix(t.Name(), "quirks") { // there, each answer is spelled anew
					diff, _ := imported.Diff(listed.Resource)
					t.Errorf("%s %v: listed otherwise than read: %v", kind, keys, diff)
				}
				p.PlansNoChange(kind, imported)
			}
		}
		if count != accountSize {
			t.Errorf("%d objects, want %d", count, accountSize)
		}
	})
}

// TestAnAccountComesUnderManagementByImportBlocks has Terraform write the
// configuration of all of it.
func TestAnAccountComesUnderManagementByImportBlocks(t *testing.T) {
	acctest.Everywhere(t, func(t *testing.T, w *acctest.World) {
		tf := w.Terraform(t, "")
		account(t, w)
		p := w.Protocol(t)
		var first, second strings.Builder
		count := 0
		for kind, given := range lists(w) {
			for i, listed := range p.List(kind, 0, given) {
				id := listed.Keys["id"]
				if kind == "tunnel_event_source" {
					id = listed.Keys["subscription_id"] + "/" + listed.Keys["type"]
				}
				fmt.Fprintf(&first, "import {\n  to = %s.all_%d\n  id = %q\n  provider = tunnel\n}\n", kind, i, id)
				fmt.Fprintf(&second, "import {\n  to = %s.all_%d\n  id = %q\n}\n", kind, i, id)
				count++
			}
		}
		if count != accountSize {
			t.Fatalf("%d import blocks", count)
		}
		// The provider must be said before there is a resource, and not after.
		tf.Write(t, "import.tf", first.String())
		tf.Run(t, "plan", "-no-color", "-generate-config-out=generated.tf")
		tf.Write(t, "import.tf", second.String())
		comesUnderManagement(t, tf)
	})
}

// comesUnderManagement imports a whole account and changes nothing.
func comesUnderManagement(t *testing.T, tf *acctest.Terraform) {
	t.Helper()
	out := tf.Run(t, "plan", "-no-color", "-out=import.plan")
	if want := fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", accountSize); !strings.Contains(out, want) {
		t.Fatalf("want %s:\n%s", want, summary(out))
	}
	tf.Run(t, "apply", "-no-color", "import.plan")
	if out, err := tf.Try(t, "plan", "-no-color", "-detailed-exitcode"); err != nil {
		t.Fatalf("after the import: %v\n%s", err, summary(out))
	}
}

// TestAnAccountComesUnderManagementByQuery has Terraform find and write all of
// it.
func TestAnAccountComesUnderManagementByQuery(t *testing.T) {
	acctest.Everywhere(t, func(t *testing.T, w *acctest.World) {
		tf := w.Terraform(t, "")
		tf.SkipBelow(t, 1, 14)
		account(t, w)
		var query strings.Builder
		for kind, given := range lists(w) {
			config := ""
			if given != nil {
				config = fmt.Sprintf("  config {\n    subscription_id = %q\n  }\n", w.Parents.EventSubscription)
			}
			fmt.Fprintf(&query, "list %q \"all\" {\n  provider         = tunnel\n  include_resource = true\n  limit            = 1000\n%s}\n", kind, config)
		}
		tf.Write(t, "account.tfquery.hcl", query.String())
		tf.Run(t, "query", "-no-color", "-generate-config-out=generated.tf")
		comesUnderManagement(t, tf)
	})
}

var telling = regexp.MustCompile(`^ *([~+/-]+ |# .*(replaced|updated|created)|Plan:|.*Error:|.*Warning:)`)

// summary is the lines of a plan that say what would change.
func summary(out string) string {
	var lines []string
	for line := range strings.Lines(out) {
		if telling.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[:min(len(lines), 100)], "")
}
