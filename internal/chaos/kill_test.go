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
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// A guillotine is a service that kills its client in the middle of a write: when
// it has processed so many, and before it answers the last of them.
//
// Answers are sent one after the other, and a kill comes when what the last one
// told has had time to get into the state, so that each write was either answered
// and seen, or is in flight.
type guillotine struct {
	service http.Handler
	kill    func() int
	state   string // the file

	mu       sync.Mutex
	left     int      // writes until the next kill; none where it is 0
	killed   int      // processes
	answered []string // ids of what was created
}

const moment = 250 * time.Millisecond

func (g *guillotine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		g.service.ServeHTTP(w, r)
		return
	}
	answer := httptest.NewRecorder()
	g.service.ServeHTTP(answer, r)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.left > 0 {
		if g.left--; g.left == 0 {
			time.Sleep(moment)
			g.waitForState()
			g.killed += g.kill()
		}
	}
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes()) // the client may be dead
	_ = http.NewResponseController(w).Flush()
	var created struct{ ID string }
	if json.Unmarshal(answer.Body.Bytes(), &created) == nil && answer.Code == http.StatusCreated && created.ID != "" {
		g.answered = append(g.answered, created.ID)
	}
}

// waitForState waits until the state has what was answered, on a machine that is
// busy with other things.
func (g *guillotine) waitForState() {
	for begun := time.Now(); time.Since(begun) < 10*time.Second; time.Sleep(10 * time.Millisecond) {
		state, err := os.ReadFile(g.state)
		if !slices.ContainsFunc(g.answered, func(id string) bool { return err != nil || !bytes.Contains(state, []byte(id)) }) {
			return
		}
	}
}

// after arms the guillotine, and tells how many processes it has killed so far.
func (g *guillotine) after(writes int) (killed int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left, g.answered = writes, nil
	return g.killed
}

func TestWhatAKilledProviderWasMakingIsFoundByTheNextApply(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("it looks for processes in /proc")
	}
	w := acctest.Start(t)
	blade := &guillotine{service: w.Server}
	front := httptest.NewServer(blade)
	t.Cleanup(front.Close)
	tf := newTerraform(t, front.URL, w.AdminKey, "")
	w.URL = front.URL // what the service says of its addresses, asked by the test as well
	blade.kill, blade.state = tf.kill, filepath.Join(tf.dir, "terraform.tfstate")
	estate := newEstate(t, w.Server, 6) // so many that ten kills, each with up to ten writes in flight, do not use them up
	estate.write(tf)

	const kills = 10
	flying := map[string]bool{} // what was in flight at a kill and not named by an error since
	var inFlight, named int
	run := func() (done bool) {
		out, err := tf.try("apply", "-auto-approve", "-no-color")
		for path := range flying {
			// What has an address of its own is found there, and the error shows how
			// to import it. A person deletes it, as the error says as well.
			if strings.Contains(out, ".NAME "+importID(path)+"\n") {
				named++
				delete(flying, path)
				w.Delete(path)
			}
		}
		return err == nil
	}
	for i := range kills {
		blade.after(5 + i%3)
		if run() {
			t.Fatalf("the provider was not killed:\n%s", tf.output.String())
		}
		for _, path := range estate.agreement(w.Server, tf).orphans {
			if !flying[path] {
				inFlight++
				flying[path] = true
			}
		}
	}
	if inFlight < kills {
		t.Errorf("only %d objects were in flight at %d kills", inFlight, kills)
	}
	blade.after(0)
	for tries := 0; !run(); tries++ {
		if tries == 5 {
			t.Fatalf("the apply goes on failing:\n%s", tf.output.String())
		}
	}

	held := tf.state()
	for path := range flying {
		if _, adopted := held[path]; !adopted {
			t.Errorf("%s was in flight at a kill, is in no state, and no error has named it", path)
		}
	}
	if a := estate.agreement(w.Server, tf); !a.perfect(estate.size()) {
		t.Fatalf("at the end: %s\n%s", a, tf.output.String())
	}
	tf.run("plan", "-detailed-exitcode", "-no-color")
	t.Logf("%d kills of %d processes; %d objects; %d were in flight at a kill: %d adopted by a later apply, %d named by its error; 0 lost, 0 there twice",
		kills, blade.after(0), estate.size(), inFlight, len(flying), named)
}

// importID is the import id of what has an address of its own.
func importID(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case parts[0] == "event_subscriptions":
		return parts[1] + "/" + parts[3]
	case parts[0] == "edges" && len(parts) == 4:
		return parts[2]
	case parts[0] == "edges":
		return parts[2] + "/" + parts[4]
	}
	return parts[len(parts)-1]
}
