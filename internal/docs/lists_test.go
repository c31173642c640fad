package docs

import (
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

func TestAccListExamples_query(t *testing.T) {
	t.Parallel()
	w, ids := startPopulatedServer(t)
	tf := w.Terraform(t, "")
	tf.Needs(t, acctest.Query)
	tf.Init(t)
	for _, name := range append(glob(t, "list-resources/*/*"), glob(t, "guides/query/*")...) {
		t.Run(name, func(t *testing.T) {
			tf.Write(t, "example.tfquery.hcl", substituteIDs(t, read(t, name), ids))
			if out := tf.Run(t, "query", "-no-color"); out == "" {
				t.Error("the query finds nothing")
			}
		})
	}
}
