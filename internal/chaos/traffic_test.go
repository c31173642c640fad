package chaos

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// trafficConfig has the objects of traffic, and what the functions say of each case.
const trafficConfig = `
variable "keys" { type = map(string) }
variable "acls" { type = map(list(string)) }
variable "binds" { type = list(object({ acl = string, bind = string })) }
variable "certificates" { type = map(object({ pem = string, key = string })) }
variable "hosts" { type = map(string) }
variable "policies" { type = map(list(string)) }
variable "connections" { type = list(object({ policy = string, ip = string, sni = string })) }
variable "patterns" { type = list(list(string)) }
variable "hook" { type = string }

resource "tunnel_ssh_certificate_authority" "ca" {}

resource "tunnel_ssh_credential" "each" {
  for_each   = var.acls
  public_key = var.keys[each.key]
  acl        = each.value
}

resource "tunnel_tls_certificate" "each" {
  for_each        = var.certificates
  certificate_pem = each.value.pem
  private_key_pem = each.value.key
}

resource "tunnel_reserved_domain" "each" {
  for_each       = var.hosts
  domain         = each.key
  certificate_id = tunnel_tls_certificate.each[each.value].id
}

resource "tunnel_group_backend" "tls" {
  labels = { app = "tls" }
}

resource "tunnel_failover_backend" "tls" {
  backends = [tunnel_group_backend.tls.id]
}

resource "tunnel_tls_edge" "each" {
  for_each  = var.policies
  hostports = ["a.${each.key}.example.org:443", "b.${each.key}.example.org:443"]
}

resource "tunnel_tls_edge_policy" "each" {
  for_each = var.policies
  edge_id  = tunnel_tls_edge.each[each.key].id
  inbound  = [for expression in each.value : { expressions = [expression], actions = [{ type = "deny" }] }]
}

resource "tunnel_tls_edge_backend" "each" {
  for_each   = var.policies
  edge_id    = tunnel_tls_edge.each[each.key].id
  backend_id = tunnel_failover_backend.tls.id
  depends_on = [tunnel_tls_edge_policy.each]
}

resource "tunnel_event_destination" "hook" {
  target = { debug = { callback_url = var.hook } }
}

resource "tunnel_event_subscription" "policies" {
  destination_ids = [tunnel_event_destination.hook.id]
}

resource "tunnel_event_source" "policies" {
  subscription_id = tunnel_event_subscription.policies.id
  type            = "ip_policy_created.v0"
}

resource "tunnel_ip_policy" "office" {
  description = "Office"
  depends_on  = [tunnel_event_source.policies]
}

output "policy" { value = tunnel_ip_policy.office.id }

output "said" {
  value = {
    binds  = [for c in var.binds : provider::tunnel::acl_allows(tunnel_ssh_credential.each[c.acl].acl, c.bind)]
    covers = { for host, c in var.hosts : host => provider::tunnel::certificate_covers(tunnel_tls_certificate.each[c].certificate_pem, host) }
    decisions = [for c in var.connections : provider::tunnel::policy_decision(
      tunnel_tls_edge_policy.each[c.policy], { conn = { client_ip = c.ip, tls = { sni = c.sni } } }
    ).decision]
    lines = [for p in var.patterns : provider::tunnel::known_hosts_line(p, tunnel_ssh_certificate_authority.ca.public_key)]
  }
}
`

// TestAccTraffic_clientsSeeWhatFunctionsSay applies a configuration, and compares what
// the provider's functions say of over 300 random cases with what ssh and curl see of
// the edges and the SSH gateway of the test server.
func TestAccTraffic_clientsSeeWhatFunctionsSay(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"ssh", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	w := acctest.Start(t)
	opened, err := w.OpenTraffic(testserver.TrafficSettings{Traffic: "127.0.0.1:0", SSH: "127.0.0.1:0", SSHHost: "gateway.example.com", Events: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened.Close)
	gatewayHost, gatewayPort, _ := net.SplitHostPort(opened.SSH)

	type bind struct {
		ACL  string `json:"acl"`
		Bind string `json:"bind"`
	}
	type connection struct {
		Policy string `json:"policy"`
		IP     string `json:"ip"`
		SNI    string `json:"sni"`
	}
	type certificate struct {
		PEM string `json:"pem"`
		Key string `json:"key"`
	}
	keys, files, acls, binds := map[string]string{}, map[string]string{}, map[string][]string{}, []bind{}
	certificates, hosts, policies, connections := map[string]certificate{}, map[string]string{}, map[string][]string{}, []connection{}
	tf := w.Terraform(t, trafficConfig)
	for i := range 10 {
		name := fmt.Sprintf("n%d", i)
		public, private := testcert.SSHKeygen(t, "ed25519", "256")
		keys[name], files[name] = strings.TrimSpace(public), filepath.Join(tf.Dir, name)
		tf.Write(t, name, private)
		acls[name] = []string{}
		for range random.IntN(4) {
			acls[name] = append(acls[name], pick("bind:*.a.example.com", "bind:*.example.com", "bind:app=web", "bind:app=*", "bind:*=web", "bind:dc=fra", "bind:*.A.example.com",
				fmt.Sprintf("bind:w%d.a.example.com", random.IntN(120)), fmt.Sprintf("bind:%d.tcp.tunnel.example:%d", 1+random.IntN(9), 20001+random.IntN(9))))
		}
		chain, key := testcert.SelfSigned([][]string{{"x." + name + ".example.com"}, {"*." + name + ".example.com"}, {name + ".example.com", "*.y." + name + ".example.com"}}[random.IntN(3)]...)
		certificates[name] = certificate{chain, key}
		for _, host := range []string{"x.NAME", "X.y.NAME", "y.NAME", "NAME", "a.b.NAME", "z.y.NAME", "x.y.z.NAME", "xx.NAME", "x-.NAME", "1.NAME"} {
			if host = strings.ReplaceAll(host, "NAME", name+".example.com"); !strings.Contains(host, "-.") {
				hosts[strings.ToLower(host)] = name
			}
		}
		for range 1 + random.IntN(2) {
			policies[name] = append(policies[name], pick(
				"conn.client_ip == '127.0.0.5'", "conn.client_ip in ['127.0.0.5', '127.0.0.6']", "inCidrRange(conn.client_ip, '127.0.0.4/31')", "!inCidrRange(conn.client_ip, '127.0.0.0/29')",
				"conn.tls.sni.startsWith('a.')", "conn.tls.sni.split('.')[0] == 'b' && conn.client_ip.endsWith('.9')", "size(conn.tls.sni) > 30", "inCidrRanges(conn.client_ip, ['127.0.0.9/32', '127.0.0.6/32'])"))
		}
		for range 9 {
			connections = append(connections, connection{name, pick("127.0.0.4", "127.0.0.5", "127.0.0.6", "127.0.0.9"), pick("a.", "b.") + name + ".example.org"})
		}
	}
	for i := range 120 {
		name := fmt.Sprintf("n%d", random.IntN(10))
		what := pick(fmt.Sprintf("w%d.a.example.com", i), fmt.Sprintf("w%d.b.example.com", i), fmt.Sprintf("*.w%d.a.example.com", i), "app="+pick("web", "WEB", "api"), "dc="+pick("fra", "web"))
		if i < 9 {
			what, _ = w.Get("/reserved_addrs/" + w.Create("/reserved_addrs", `{}`))["addr"].(string)
		}
		binds = append(binds, bind{name, what})
	}
	events := make(chan string, 1)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		events <- string(text)
	}))
	t.Cleanup(hook.Close)
	patterns := [][]string{{"gateway.example.com"}, {"*.example.com"}, {"*.example.org"}, {"*.example.com", "!gateway.example.com"}}
	tf.SetVariables(t, map[string]any{
		"keys": keys, "acls": acls, "binds": binds, "certificates": certificates, "hosts": hosts, "policies": policies, "connections": connections, "patterns": patterns,
		"hook": hook.URL,
	})
	tf.Apply(t)
	var said struct {
		Binds     []bool
		Covers    map[string]bool
		Decisions []string
		Lines     []string
	}
	tf.OutputValue(t, "said", &said)
	var policy string
	tf.OutputValue(t, "policy", &policy)
	for _, want := range []string{`"event_type":"ip_policy_created.v0"`, policy, `"description":"Office"`} {
		if event := <-events; !strings.Contains(event, want) {
			t.Errorf("the event does not contain %s: %s", want, event)
		} else {
			events <- event
		}
	}

	// forward runs ssh -R, and returns whether the tunnel opens, and what ssh has
	// shown.
	forward := func(ctx context.Context, key string, arguments ...string) (opens bool, shown string) {
		arguments = append(slices.Clone(arguments[:len(arguments)-1]), // the first value of an option counts
			"-p", gatewayPort, "-i", files[key], "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-F", "none", "-o", "StrictHostKeyChecking=no",
			"-o", "UserKnownHostsFile=/dev/null", "-o", "GlobalKnownHostsFile=/dev/null", gatewayHost, arguments[len(arguments)-1])
		command := exec.CommandContext(ctx, "ssh", arguments...)
		out, err := command.StderrPipe()
		if err == nil {
			err = command.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = command.Wait() }) // when the context has ended
		for lines := bufio.NewScanner(out); lines.Scan(); {
			shown += lines.Text() + "\n"
			if strings.HasPrefix(lines.Text(), "Tunnel ") {
				go func() { _, _ = io.Copy(io.Discard, out) }()
				return true, shown
			}
		}
		return false, shown
	}
	together(len(binds), func(i int) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		remote, command := binds[i].Bind+":443", "tls"
		if strings.Contains(binds[i].Bind, "=") {
			remote, command = "0", "tunnel --label "+binds[i].Bind
		} else if strings.Contains(binds[i].Bind, ":") {
			remote, command = binds[i].Bind, "tcp"
		}
		opens, shown := forward(ctx, binds[i].ACL, "-R", remote+":localhost:1", command)
		if opens != said.Binds[i] || !opens && !strings.Contains(shown, "does not allow to bind "+binds[i].Bind+": the rule bind:"+binds[i].Bind+" would") {
			t.Errorf("acl_allows(%q, %q) is %t, ssh shows:\n%s", acls[binds[i].ACL], binds[i].Bind, said.Binds[i], shown)
		}
	})
	for i, line := range said.Lines {
		known := filepath.Join(tf.Dir, fmt.Sprint("known", i))
		tf.Write(t, filepath.Base(known), line+"\n")
		ctx, cancel := context.WithCancel(t.Context())
		opens, shown := forward(ctx, "n0", "-o", "UserKnownHostsFile="+known, "-o", "StrictHostKeyChecking=yes", "-o", "HostKeyAlias=gateway.example.com", "-R", "0:localhost:1", "http")
		cancel()
		accepts := opens || strings.Contains(shown, "does not allow")
		if accepts != (i < 2) {
			t.Errorf("known_hosts_line(%q, ...): ssh shows:\n%s", patterns[i], shown)
		}
	}

	curl := func(arguments ...string) (string, error) {
		arguments = append([]string{"-q", "-sS", "--noproxy", "*", "--max-time", "20", "--connect-to", "::" + opened.Traffic}, arguments...)
		out, err := exec.CommandContext(t.Context(), "curl", arguments...).CombinedOutput()
		return string(out), err
	}
	for name, one := range certificates {
		tf.Write(t, name+".pem", one.PEM)
	}
	names := slices.Sorted(maps.Keys(hosts))
	together(len(names), func(i int) {
		out, err := curl("--cacert", filepath.Join(tf.Dir, hosts[names[i]]+".pem"), "https://"+names[i]+"/")
		if (err == nil) != said.Covers[names[i]] || err != nil && !strings.Contains(out, "curl: (60)") {
			t.Errorf("certificate_covers(%s, %q) is %t, curl says: %v %s", hosts[names[i]], names[i], said.Covers[names[i]], err, out)
		}
	})

	backend := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }))
	t.Cleanup(backend.Close)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	public, private := testcert.SSHKeygen(t, "ed25519", "256")
	files["any"] = filepath.Join(tf.Dir, "any")
	tf.Write(t, "any", private)
	w.Create("/ssh_credentials", fmt.Sprintf(`{"public_key": %q}`, strings.TrimSpace(public)))
	if opens, shown := forward(ctx, "any", "-R", "0:"+backend.Listener.Addr().String(), "tunnel --label app=tls"); !opens {
		t.Fatal(shown)
	}
	together(len(connections), func(i int) {
		out, err := curl("-k", "--interface", connections[i].IP, "https://"+connections[i].SNI+"/")
		if decision := map[bool]string{true: "allow", false: "deny"}[err == nil && out == "hello"]; decision != said.Decisions[i] {
			t.Errorf("policy_decision(%q, %v) is %s, curl says: %v %s", policies[connections[i].Policy], connections[i], said.Decisions[i], err, out)
		}
	})
	if total := len(binds) + len(said.Lines) + len(names) + len(connections); total < 300 {
		t.Errorf("only %d cases", total)
	}
}

// together calls work for each number below n, several at a time.
func together(n int, work func(int)) {
	var all sync.WaitGroup
	places := make(chan struct{}, 4)
	for i := range n {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			work(i)
		})
	}
	all.Wait()
}
