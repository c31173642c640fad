package httpsedgeroute_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestHTTPSEdgeRoute_found creates a route that exists, and one whose response is lost.
// The provider finds both in the edge.
func TestHTTPSEdgeRoute_found(t *testing.T) {
	t.Parallel()
	const kind = "tunnel_https_edge_route"
	w := acctest.Start(t)
	p, edge := w.Protocol(t), w.Create("/edges/https", "{}")
	create := func(match string) []*tfprotov6.Diagnostic {
		config := acctest.FromJSON(p.Type(kind), map[string]any{"edge_id": edge, "match_type": "exact_path", "match": match})
		_, found := p.Apply(kind, tftypes.NewValue(config.Type(), nil), config)
		return found
	}
	id := w.Create("/edges/https/"+edge+"/routes", `{"match_type": "exact_path", "match": "/live"}`)
	acctest.Expect(t, create("/live"), tfprotov6.DiagnosticSeverityError, nil, "already exists", "terraform import tunnel_https_edge_route.NAME "+edge+"/"+id)
	w.SetRules(testserver.Rule{Behavior: "reset_after", Method: http.MethodPost, Count: 1})
	acctest.Expect(t, create("/lost"), tfprotov6.DiagnosticSeverityError, nil,
		"Could not determine whether the HTTPS edge route was created", "terraform import tunnel_https_edge_route.NAME "+edge+"/edghtsrt_")
}

// TestAccHTTPSEdgeRoute_ringOfMatches follows the advice of the error with rings of any
// length.
func TestAccHTTPSEdgeRoute_ringOfMatches(t *testing.T) {
	t.Parallel()
	for length := 2; length <= 5; length++ {
		w := acctest.Start(t)
		edge := w.Create("/edges/https", "{}")
		routes := func(first, shift int, instead string) string {
			text := ""
			for i := range length {
				match := fmt.Sprintf("/%d/", (i+shift)%length)
				if i == first {
					match = instead
				}
				text += acctest.Resource(fmt.Sprintf("tunnel_https_edge_route.r%d", i), fmt.Sprintf("edge_id = %q", edge),
					`match_type = "path_prefix"`, fmt.Sprintf("match = %q", match))
			}
			return text
		}
		tf := w.Terraform(t, routes(-1, 0, ""))
		apply := func(config string) (string, error) {
			tf.Write(t, "main.tf", regexp.MustCompile(`(?s)resource.*`).ReplaceAllLiteralString(tf.Read(t, "main.tf"), config))
			return tf.TryApply(t)
		}
		tf.Apply(t)
		out, err := apply(routes(-1, 1, ""))
		unused := regexp.MustCompile(`such\s+(?:│\s+)?as\s+(?:│\s+)?"(.*?)"`).FindStringSubmatch(out)
		if err == nil || unused == nil || !acctest.InError("two or more resources exchange their match", "and apply",
			"set the intended values, and apply until this error does not appear again").MatchString(out) {
			t.Fatalf("%d routes: %v\n%s", length, err, acctest.Summary(out))
		}
		if out, err := apply(routes(0, 0, unused[1])); err != nil {
			t.Fatalf("%d routes: %v\n%s", length, err, acctest.Summary(out))
		}
		applies := 1
		for _, err = apply(routes(-1, 1, "")); err != nil && applies <= length; applies++ {
			_, err = tf.TryApply(t)
		}
		if tf.ExpectNoChanges(t); err != nil {
			t.Errorf("%d routes: after %d applies: %v", length, applies, err)
		}
	}
}
