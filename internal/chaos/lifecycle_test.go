package chaos

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func TestAccReplace_eachShape(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		chain := testcert.ChainOf{}.New(t)
		edge, subscription := w.CreateTLSEdge(), w.CreateEventSubscription()
		tf := w.Terraform(t, fmt.Sprintf(`
resource "tunnel_tls_certificate" "r" {
  certificate_pem            = %q
  private_key_pem_wo         = %q
  private_key_pem_wo_version = 1
  lifecycle {
    create_before_destroy = true
  }
}
resource "tunnel_ssh_credential" "r" {
  public_key = %q
}
resource "tunnel_tls_edge_policy" "r" {
  edge_id = %q
  inbound = [{ expressions = [], actions = [{ type = "deny" }] }]
}
resource "tunnel_event_source" "r" {
  subscription_id = %q
  type            = "ip_policy_created.v0"
}
`, chain.PEM(), chain.PKCS8(t), testcert.PublicKey(t, ""), edge, subscription))
		tf.Apply(t)
		certificate := w.List("/tls_certificates")[0]["id"]
		var options []tfexec.ApplyOption
		for _, kind := range []string{"tls_certificate", "ssh_credential", "tls_edge_policy", "event_source"} {
			options = append(options, tfexec.Replace("tunnel_"+kind+".r"))
		}
		if out := tf.Apply(t, options...); !strings.Contains(out, "4 added, 0 changed, 4 destroyed") {
			t.Errorf("not everything was replaced:\n%s", acctest.Summary(out))
		}
		tf.ExpectNoChanges(t)
		if now := w.List("/tls_certificates"); len(now) != 1 || now[0]["id"] == certificate {
			t.Errorf("the service holds %v, before it was %v", now, certificate)
		}
		tf.Destroy(t)
	})
}

// TestAccReplace_naturalKeyCreatedBeforeDestroyed checks the error of
// create_before_destroy for an object with a natural key, which cannot exist
// twice.
func TestAccReplace_naturalKeyCreatedBeforeDestroyed(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	edge := w.CreateTLSEdge()
	for kind, arguments := range map[string]string{
		"ssh_credential":  fmt.Sprintf("public_key = %q", testcert.PublicKey(t, "")),
		"tls_edge_policy": fmt.Sprintf("edge_id = %q", edge),
	} {
		tf := w.Terraform(t, fmt.Sprintf("resource \"tunnel_%s\" \"r\" {\n  %s\n  lifecycle {\n    create_before_destroy = true\n  }\n}\n", kind, arguments))
		tf.Apply(t)
		out, err := tf.TryApply(t, tfexec.Replace("tunnel_"+kind+".r"))
		if err == nil || !acctest.InError("already exists", "create_before_destroy applies", "remove that setting").MatchString(out) {
			t.Errorf("%s: %v\n%s", kind, err, acctest.Summary(out))
		}
		tf.ExpectNoChanges(t)
		tf.Destroy(t)
	}
}

func TestAccApply_keyRevokedHalfWay(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	target, err := url.Parse(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	var creations atomic.Int32
	var restored atomic.Bool
	proxy := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && creations.Add(1) > 2 && !restored.Load() {
			r.Header.Set("Authorization", "Bearer revoked")
		}
		r.Host = target.Host
		proxy.ServeHTTP(rw, r)
	}))
	t.Cleanup(server.Close)
	tf := w.Terraform(t, "resource \"tunnel_group_backend\" \"all\" {\n  count  = 5\n  labels = { n = tostring(count.index) }\n}\n")
	tf.Write(t, "main.tf", strings.Replace(tf.Read(t, "main.tf"), w.URL, server.URL, 1))
	out, err := tf.TryApply(t)
	if err == nil || !acctest.InError("Error creating tunnel group backend", "401 Unauthorized", "The service rejected the API key").MatchString(out) {
		t.Errorf("expected 401, got %v:\n%s", err, acctest.Summary(out))
	}
	kept := 0
	for _, resource := range tf.State(t).Values.RootModule.Resources {
		if resource.AttributeValues["id"] != nil { // not tainted by a failed creation
			kept++
		}
	}
	if created := len(w.List("/backends/tunnel_group")); created != 2 || kept != 2 {
		t.Errorf("%d backends exist and %d are in the state, want 2", created, kept)
	}
	restored.Store(true)
	if out := tf.Apply(t); !strings.Contains(out, "3 added, 0 changed, 0 destroyed") {
		t.Errorf("the next apply:\n%s", acctest.Summary(out))
	}
	tf.ExpectNoChanges(t)
	tf.Destroy(t)
}
