package chaos

import (
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestAccEstate_kill repeatedly kills the provider while the service has processed a
// creation and the provider does not know it, and finds the orphans with the guide
// "Finding orphaned objects".
func TestAccEstate_kill(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("it looks for processes in /proc")
	}
	w := acctest.Start(t)
	r := newRealTerraform(t, w)
	r.terraform = newTerraform(t, w.URL, w.AdminKey, "") // the provider is a process
	estate := newEstate(t, w, 6, kindsOf(t, append(shapes, "tunnel_tls_certificate")))
	r.write(estate.first)
	user := newOperator(estate, r)

	const kills = 3
	found := 0
	for i := range kills {
		// The next apply creates another backend: only the guide finds this orphan.
		w.SetFaults(testserver.Fault{Kind: testserver.FaultHoldAfter, Method: http.MethodPost, Route: list, Nth: 1 + i%2})
		killed := make(chan int)
		go func() {
			held := w.Held(t.Context())
			killed <- r.kill() * len(held)
			w.SetFaults()
		}()
		if _, err := r.apply(); err == nil || <-killed == 0 {
			t.Fatalf("the provider was not killed:\n%s", r.summary())
		}
		orphans := findOrphans(t, r.terraform)
		for path := range estate.before { // ignore the parents, which Terraform does not manage
			_, keys := acctest.KindAt(path)
			delete(orphans, keys["id"])
		}
		for _, path := range estate.agreement(w, r.terraform).orphans {
			kind, keys := acctest.KindAt(path)
			id := keys["id"] // "" if the kind has none
			if kind.RefusesDuplicates && orphans[id] == "" {
				user.left[path] = true // the error of the next apply names it
				continue
			}
			if orphans[id] != kind.Type {
				t.Errorf("%s is an orphan, and the guide does not find it among %v", path, orphans)
			}
			delete(orphans, id)
			w.Delete(path)
			found++
		}
		if len(orphans) > 0 {
			t.Errorf("the guide takes %v for orphans", orphans)
		}
	}
	if found < kills {
		t.Errorf("only %d orphans were found after %d kills", found, kills)
	}
	for runs := 0; !user.run(estate.first); runs++ {
		if runs == 5 {
			t.Fatalf("apply still fails:\n%s", r.summary())
		}
	}
	estate.agree(r, "the kills", estate.first)
	t.Logf("%d kills; %d objects; %d orphans found by the guide; %d named by the next apply", kills, len(estate.first), found, user.named)
}

// findOrphans runs the example of the guide on the state of a directory. It
// returns the resource types of the orphans by id.
func findOrphans(t *testing.T, tf *terraform) map[string]string {
	t.Helper()
	example, err := os.ReadFile("../../examples/guides/orphans/main.tf")
	if err != nil {
		t.Fatal(err)
	}
	guide := newTerraform(t, tf.url, tf.key, "")
	guide.Write(t, "main.tf", string(example))
	if err := os.Mkdir(filepath.Join(guide.Dir, "states"), 0o700); err != nil {
		t.Fatal(err)
	}
	guide.Write(t, "states/estate.json", tf.StateFile(t))
	guide.Apply(t)
	var described map[string]struct{ Type string }
	guide.OutputValue(t, "orphans", &described)
	orphans := map[string]string{}
	for id, object := range described {
		orphans[id] = object.Type
	}
	return orphans
}
