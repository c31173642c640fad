package httpsedgeroute_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

func config(edge, matchType, match string) string {
	return acctest.Resource("tunnel_https_edge_route.test", fmt.Sprintf("edge_id = %q", edge), fmt.Sprintf("match_type = %q", matchType), fmt.Sprintf("match = %q", match))
}

func TestAccHTTPSEdgeRoute_sameMatchAlreadyExists(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	edge := w.CreateHTTPSEdge()
	id := w.Create("/edges/https/"+edge+"/routes", `{"match_type": "exact_path", "match": "/live"}`)
	w.Run(t, resource.TestStep{
		Config:      w.Config(config(edge, "exact_path", "/live")),
		ExpectError: acctest.InError("already exists", "terraform import tunnel_https_edge_route.NAME "+edge+"/"+id),
	})
}

// TestAccHTTPSEdgeRoute_unknownOutcome loses the response to the creation. The
// provider finds the route in the edge.
func TestAccHTTPSEdgeRoute_unknownOutcome(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	edge := w.CreateHTTPSEdge()
	w.SetRules(testserver.Rule{Behavior: "reset_after", Method: http.MethodPost, Count: 1})
	w.Run(t, resource.TestStep{
		Config:      w.Config(config(edge, "path_prefix", "/")),
		ExpectError: acctest.InError("Could not determine whether the HTTPS edge route was created", "terraform import tunnel_https_edge_route.NAME "+edge+"/edghtsrt_"),
	})
}

// TestAccHTTPSEdgeRoute_exchangedMatches checks that an exchange that the service refuses
// changes nothing, and that the advice of the error works.
func TestAccHTTPSEdgeRoute_exchangedMatches(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	routes := func(matches ...string) string {
		config := ""
		for i, match := range matches {
			config += acctest.Resource(fmt.Sprintf("tunnel_https_edge_route.r%d", i), fmt.Sprintf("edge_id = %q", w.Parents.HTTPSEdge), `match_type = "path_prefix"`, fmt.Sprintf("match = %q", match))
		}
		return w.Config("%s", config)
	}
	refuses := func(matches ...string) resource.TestStep {
		return resource.TestStep{Config: routes(matches...), ExpectError: acctest.InError("If two or more resources exchange their match, set it to an unused value in one of them, such as")}
	}
	w.Run(t,
		resource.TestStep{Config: routes("/a/", "/b/", "/c/")},
		refuses("/b/", "/a/", "/c/"),
		resource.TestStep{Config: routes("/a/", "/b/", "/c/"), PlanOnly: true},
		refuses("/b/", "/c/", "/a/"),
		resource.TestStep{Config: routes("/b/temporary", "/b/", "/c/")},
		resource.TestStep{Config: routes("/b/temporary", "/a/", "/c/")},
		resource.TestStep{Config: routes("/b/", "/a/", "/c/")},
	)
}

// TestAccHTTPSEdgeRoute_ringOfMatches follows the advice of the error with rings of any
// length.
func TestAccHTTPSEdgeRoute_ringOfMatches(t *testing.T) {
	t.Parallel()
	for length := 2; length <= 5; length++ {
		w := acctest.Start(t)
		edge := w.CreateHTTPSEdge()
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

func TestAccHTTPSEdgeRoute_matchIsChecked(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Run(t, resource.TestStep{Config: w.Config(config("edghts_1", "exact_path", "live")), PlanOnly: true, ExpectError: acctest.InError("must begin with a slash")})
	out := w.Terraform(t, config("edghts_1", "regex", "/live")).Plan(t)
	if !acctest.InError(`Warning: Unusual match_type`, `match_type is "regex"; expected exact_path or path_prefix. The service may reject it.`).MatchString(out) {
		t.Errorf("expected a warning:\n%s", acctest.Summary(out))
	}
}
