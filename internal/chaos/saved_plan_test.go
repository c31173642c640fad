package chaos

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccUpdate_savedPlanAfterEditByHand changes attributes out of band before
// it applies a saved plan. The update sends all attributes, so that the result
// matches the plan.
func TestAccUpdate_savedPlanAfterEditByHand(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{}.New(t)
	key := testcert.PublicKey(t, "me")
	children := []string{w.CreateOtherBackend(), w.CreateOtherBackend()}
	subject := map[string]map[string][2]string{ // old and new value by resource type and attribute
		"tunnel_ssh_credential":       {"description": text, "metadata": text, "acl": {`["bind:a.example.com"]`, `["bind:b.example.com"]`}},
		"tunnel_ssh_host_certificate": {"description": text, "metadata": text},
		"tunnel_tls_certificate":      {"description": text, "metadata": text},
		"tunnel_group_backend":        {"description": text, "metadata": text, "labels": {`{ app = "a" }`, `{ app = "b" }`}},
		"tunnel_failover_backend": {
			"description": text, "metadata": text,
			"backends": {fmt.Sprintf("[%q]", children[0]), fmt.Sprintf("[%q, %q]", children[1], children[0])},
		},
		"tunnel_tls_edge_policy":              {"enabled": {"true", "false"}, "inbound": rules("a", "b"), "outbound": rules("c", "d")},
		"tunnel_tcp_edge_policy":              {"enabled": {"true", "false"}, "inbound": rules("a", "b"), "outbound": rules("c", "d")},
		"tunnel_https_edge_route_compression": {"enabled": {"true", "false"}},
	}
	fixed := map[string]string{
		"tunnel_ssh_credential":               fmt.Sprintf("public_key = %q", key),
		"tunnel_ssh_host_certificate":         fmt.Sprintf("public_key = %q\n  ssh_certificate_authority_id = %q\n  principals = [\"a.example.com\"]", key, w.Parents.SSHCertificateAuthority),
		"tunnel_tls_certificate":              fmt.Sprintf("certificate_pem = %q\n  private_key_pem = %q", chain.PEM(), chain.PKCS8(t)),
		"tunnel_tls_edge_policy":              fmt.Sprintf("edge_id = %q", w.Parents.TLSEdge),
		"tunnel_tcp_edge_policy":              fmt.Sprintf("edge_id = %q", w.Parents.TCPEdge),
		"tunnel_https_edge_route_compression": fmt.Sprintf("edge_id = %q\n  route_id = %q", w.Parents.HTTPSEdge, w.Parents.HTTPSEdgeRoute),
	}
	// config uses the new value of the nth attribute of each type and the old
	// values of the others.
	config := func(nth int) string {
		var blocks strings.Builder
		for _, kind := range slices.Sorted(maps.Keys(subject)) {
			fmt.Fprintf(&blocks, "resource %q \"all\" {\n  %s\n", kind, fixed[kind])
			for i, name := range slices.Sorted(maps.Keys(subject[kind])) {
				value := subject[kind][name][0]
				if i == nth {
					value = subject[kind][name][1]
				}
				fmt.Fprintf(&blocks, "  %s = %s\n", name, value)
			}
			blocks.WriteString("}\n")
		}
		return blocks.String()
	}
	edits := map[string]string{
		"tunnel_ssh_credential":               `{"description":"by hand","metadata":"by hand","acl":["bind:hand.example.com"]}`,
		"tunnel_ssh_host_certificate":         `{"description":"by hand","metadata":"by hand"}`,
		"tunnel_tls_certificate":              `{"description":"by hand","metadata":"by hand"}`,
		"tunnel_group_backend":                `{"description":"by hand","metadata":"by hand","labels":{"by":"hand"}}`,
		"tunnel_failover_backend":             fmt.Sprintf(`{"description":"by hand","metadata":"by hand","backends":[%q]}`, children[1]),
		"tunnel_tls_edge_policy":              `{"enabled":false,"inbound":[],"outbound":null}`,
		"tunnel_tcp_edge_policy":              `{"enabled":false,"inbound":[],"outbound":null}`,
		"tunnel_https_edge_route_compression": `{"enabled":false}`,
	}
	tf := newTerraform(t, w.URL, w.AdminKey, "")
	for nth := range 3 {
		tf.Write(tf.t, "objects.tf", config(-1))
		tf.Apply(t)
		tf.Write(tf.t, "objects.tf", config(nth))
		tf.Plan(t, tfexec.Out("saved.plan"))
		for path, h := range tf.state() {
			kind, _, _ := strings.Cut(h.address, ".")
			if nth >= len(subject[kind]) {
				continue // the plan does not change this resource
			}
			if acctest.KindOf(t, kind).Module() {
				w.Put(path, edits[kind])
			} else {
				w.Edit(path, edits[kind])
			}
		}
		tf.Apply(t, tfexec.DirOrPlan("saved.plan"))
		tf.ExpectNoChanges(t)
	}
}

var text = [2]string{`"a"`, `"b"`}

func rules(before, after string) [2]string {
	rule := func(name string) string {
		return fmt.Sprintf("[{ name = %q, expressions = [\"true\"], actions = [{ type = \"log\" }] }]", name)
	}
	return [2]string{rule(before), rule(after)}
}
