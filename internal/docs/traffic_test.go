package docs

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccTraffic_findsWhatClientsNotice applies a configuration, and follows changes of
// it.
func TestAccTraffic_findsWhatClientsNotice(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	const base = `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
resource "tunnel_https_edge" "shop" { hostports = ["www.example.com:443"] }
resource "tunnel_group_backend" "shop" { labels = { app = "shop" } }
resource "tunnel_https_edge_route" "all" {
  edge_id    = tunnel_https_edge.shop.id
  match_type = "path_prefix"
  match      = "/shop/"
}
resource "tunnel_https_edge_route_backend" "all" {
  edge_id    = tunnel_https_edge.shop.id
  route_id   = tunnel_https_edge_route.all.id
  backend_id = tunnel_group_backend.shop.id
}
resource "tunnel_ip_policy" "office" {}
resource "tunnel_ip_policy_rule" "office" {
  ip_policy_id = tunnel_ip_policy.office.id
  action       = "allow"
  cidr         = "192.0.2.0/24"
}
`
	route := func(match string) string {
		return base + `resource "tunnel_https_edge_route" "new" {
  edge_id    = tunnel_https_edge.shop.id
  match_type = "path_prefix"
  match      = "` + match + `"
}
resource "tunnel_https_edge_route_backend" "new" {
  edge_id    = tunnel_https_edge.shop.id
  route_id   = tunnel_https_edge_route.new.id
  backend_id = tunnel_group_backend.shop.id
  depends_on = [tunnel_https_edge_route_ip_restriction.new]
}
resource "tunnel_https_edge_route_ip_restriction" "new" {
  edge_id       = tunnel_https_edge.shop.id
  route_id      = tunnel_https_edge_route.new.id
  ip_policy_ids = [tunnel_ip_policy.office.id]
}
`
	}
	tf, search := copying(t, w)
	tf.Write(t, "main.tf", base)
	if out, err := tf.Shell(t, "terraform init -input=false && terraform apply -auto-approve -input=false"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tf.Write(t, "requests.txt", "# outside\nhttps://www.example.com/shop/\n")
	for name, test := range map[string]struct {
		config, options, want string
		code                  int
	}{
		"no change":             {base, "", "runs: 1, opened: 0, interrupted: 0, changed: 0, unchanged: 3", 0},
		"another path":          {route("/admin/"), "", "opened: 0, interrupted: 0, changed: 6", 0},
		"part of another route": {route("/shop/admin/"), "", "404: no backend, from the creation of tunnel_https_edge_route.new", 1},
		"another label": {
			strings.Replace(base, `app = "shop"`, `app = "new"`, 1), "-requests requests.txt",
			"after    502: no tunnel with app=new, from the change of tunnel_group_backend.shop", 0,
		},
		"another label, with a tunnel": {
			strings.Replace(base, `app = "shop"`, `app = "new"`, 1), "-tunnel app=shop -tunnel app=new -format json", `"answer": "tunnel app=new"`, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			tf.Write(t, "main.tf", test.config)
			command := "tunnel-testserver traffic -runs 1 -latency 10ms " + test.options + " -- terraform apply"
			expectCopied(t, w, tf, command, test.code, test.want, search, "TUNNEL_API_KEY="+w.ReadOnlyKey)
		})
	}
}

// TestAccTraffic_guide runs the example of the guide. Whether the admin pages are opened
// depends on the order, so the change to that example has only one order.
func TestAccTraffic_guide(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, search := copying(t, w)
	config := read(t, "guides/traffic/main.tf")
	tf.Write(t, "main.tf", config)
	tf.Init(t)
	tf.Apply(t)
	const advice = "Add tunnel_https_edge_route_ip_restriction.admin to depends_on of tunnel_https_edge_route_backend.admin."
	for needs, want := range map[string]string{
		"route_backend.admin":        "opened: 2, interrupted: 4, changed: 0, unchanged: 2",
		"route_ip_restriction.admin": "opened: 0, interrupted: 4, changed: 2, unchanged: 2",
	} {
		other := "route_backend"
		if needs == "route_backend.admin" {
			other = "route_ip_restriction"
		}
		before := `resource "tunnel_https_edge_` + other + `" "admin" {`
		tf.Write(t, "main.tf", strings.Replace(config, before, before+"\n  depends_on = [tunnel_https_edge_"+needs+"]", 1))
		out, _ := tf.Shell(t, "tunnel-testserver traffic -runs 1 -- terraform apply -var=release=2", search)
		if !strings.Contains(out, want) || strings.Contains(out, "fails") || strings.Contains(out, advice) != strings.Contains(want, "opened: 2") {
			t.Errorf("expected %q:\n%s", want, acctest.Summary(out))
		}
	}
}

// TestAccTraffic_rotation replaces a certificate as the guide says, and interrupts
// nothing.
func TestAccTraffic_rotation(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, search := copying(t, w)
	config, _, _ := strings.Cut(read(t, "guides/rotation/main.tf"), `resource "tunnel_ssh_certificate_authority"`)
	tf.Write(t, "main.tf", acctest.RequiredProviders+config+`
resource "tunnel_https_edge" "www" {
  hostports = ["${tunnel_reserved_domain.www.domain}:443"]
}
resource "tunnel_https_edge_route" "www" {
  edge_id    = tunnel_https_edge.www.id
  match_type = "path_prefix"
  match      = "/"
}
resource "tunnel_http_response_backend" "www" {
  body = "hello"
}
resource "tunnel_https_edge_route_backend" "www" {
  edge_id    = tunnel_https_edge.www.id
  route_id   = tunnel_https_edge_route.www.id
  backend_id = tunnel_http_response_backend.www.id
}
`)
	rotate := func(days int) {
		chain := testcert.ChainOf{Names: []string{"www.example.com"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(0, 0, days)}.New(t)
		tf.Write(t, "www.example.com.pem", chain.PEM())
		tf.Write(t, "www.example.com.key", chain.PKCS8(t))
	}
	rotate(60)
	tf.Init(t)
	tf.Apply(t)
	rotate(90)
	const want = "200 \"hello\", certificate for www.example.com until [0-9: -]+, from the change of tunnel_reserved_domain.www\n\n" +
		"requests: 2, runs: 1, opened: 0, interrupted: 0, changed: 2, unchanged: 0"
	out, err := tf.Shell(t, "tunnel-testserver traffic -runs 1 -- terraform apply", search)
	if err != nil || !regexp.MustCompile(want).MatchString(out) {
		t.Errorf("%v: expected %s:\n%s", err, want, out)
	}
}
