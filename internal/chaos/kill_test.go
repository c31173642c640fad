package chaos

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// killingProxy is a proxy that kills the provider during a creation: after the
// service processed the given number of writes, and before the client gets the
// response. It waits for a creation of a kind that the next apply would create
// again, because only the guide finds such an orphan.
//
// It sends responses one at a time and waits before a kill until the state
// contains all objects of earlier responses. This way, each write either is in
// the state or is in flight.
type killingProxy struct {
	t       *testing.T
	service http.Handler
	kill    func() int
	state   string // path of the state file

	mu       sync.Mutex
	armed    bool     // a kill is scheduled
	left     int      // writes until then
	killed   int      // number of killed processes
	answered []string // ids of the created objects
	run      int      // number of kills that were scheduled
}

func (g *killingProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		g.service.ServeHTTP(w, r)
		return
	}
	g.mu.Lock()
	run := g.run
	g.mu.Unlock()
	answer := httptest.NewRecorder()
	g.service.ServeHTTP(answer, r)
	g.mu.Lock()
	defer g.mu.Unlock()
	var created struct{ ID string }
	if json.Unmarshal(answer.Body.Bytes(), &created) != nil || answer.Code != http.StatusCreated {
		created.ID = ""
	}
	g.left--
	kind, _ := acctest.KindAt(r.URL.Path + "/" + created.ID)
	if g.armed && g.left <= 0 && created.ID != "" && kind.Type != "" && !kind.RefusesDuplicates {
		g.armed = false
		g.waitForState()
		g.killed += g.kill()
	}
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes()) // the client may have been killed
	_ = http.NewResponseController(w).Flush()
	if created.ID != "" && run == g.run { // else the provider that sent it was killed
		g.answered = append(g.answered, created.ID)
	}
}

// waitForState waits until the state contains all created objects.
func (g *killingProxy) waitForState() {
	acctest.Await(g.t, func() bool {
		state, err := os.ReadFile(g.state)
		return !slices.ContainsFunc(g.answered, func(id string) bool { return err != nil || !bytes.Contains(state, []byte(id)) })
	})
}

// after schedules the next kill.
func (g *killingProxy) after(writes int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.armed, g.left, g.answered = true, writes, nil
	g.run++
}

// TestAccEstate_kill repeatedly kills the provider during an apply and finds
// the orphans with the guide "Finding orphaned objects".
func TestAccEstate_kill(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("it looks for processes in /proc")
	}
	w := acctest.Start(t)
	proxy := &killingProxy{t: t, service: w.Server}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	w.URL = front.URL // so that URIs in responses to the test have the address of the proxy, too
	r := newRealTerraform(t, w)
	r.terraform = newTerraform(t, front.URL, w.AdminKey, "") // the provider is a process
	proxy.kill, proxy.state = r.kill, filepath.Join(r.Dir, "terraform.tfstate")
	estate := newEstate(t, w, 6, kindsOf(t, append(shapes, "tunnel_tls_certificate")))
	r.write(estate.first)
	user := newOperator(estate, r)

	const kills = 3
	found := 0
	for i := range kills {
		proxy.after(5 + i%3)
		if _, err := r.apply(); err == nil {
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
	t.Logf("%d kills of %d processes; %d objects; %d orphans found by the guide; %d named by the next apply",
		kills, proxy.killed, len(estate.first), found, user.named)
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
