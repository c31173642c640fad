package explore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// stage stands in front of a server, names the requests of a run as they come, and
// interrupts one of them. Rules of the server would not do: two requests that
// differ only in ids and times come in another order in each run.
type stage struct {
	server  *testserver.Server
	timeout time.Duration  // of a command: a client may repeat a request for ever
	active  sync.WaitGroup // requests, also those whose client was killed
	turn    sync.RWMutex   // somebody else acts while no request is processed
	group   atomic.Int64   // process group of the running command

	mutex   sync.Mutex
	names   *Names       // of the run; nil for the one from which they are learned
	target  Interruption // empty in a run that is not interrupted
	actor   *actor       // nil without one
	reached bool
	down    bool // the outage has begun
	records []Record
}

// begin begins a run.
func (s *stage) begin(names *Names, target Interruption, other *actor) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.names, s.target, s.actor = names, target, other
	s.reached, s.down, s.records = false, false, nil
}

// end ends the interruption. Later requests are only named. It reports whether the
// request to interrupt came.
func (s *stage) end() (reached bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.target, s.down = Interruption{}, false
	return s.reached
}

const (
	// signalLatency is how long requests take in runs with signals. Without it,
	// Terraform is often killed while it writes its state.
	signalLatency = 50 * time.Millisecond
	// maxNamed is the maximum size of a body that names its request. The server
	// refuses larger ones.
	maxNamed = 1 << 20
	// maxAfterSignal is how long a process can run after the first one of its group.
	maxAfterSignal = 30 * time.Second
)

func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.active.Add(1)
	defer s.active.Done()
	if strings.HasPrefix(r.URL.Path, "/_testserver/") { // is not interrupted
		if r.Method == http.MethodGet {
			s.server.ServeHTTP(w, r)
		} else { // a reset would hide what an interruption leaves
			fail(w, http.StatusConflict)
		}
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxNamed))
	if err != nil {
		return
	}
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), r.Body))
	kind, created := s.arrive(r, body)
	switch kind {
	case Outage:
		panic(http.ErrAbortHandler) // closes the connection
	case Fails:
		fail(w, http.StatusInternalServerError)
		return
	case Interrupt, Terminate:
		_ = signalGroup(int(s.group.Load()), signals[kind])
	}
	s.wait(r)
	response := httptest.NewRecorder()
	this := held{Record: Record{Method: r.Method, Path: r.URL.Path, Body: body}}
	act, acts := kind.act()
	if acts {
		this.was, _ = s.actor.get(this.Path)
	}
	if acts && act == kind {
		s.act(this)
	}
	s.turn.RLock()
	s.server.ServeHTTP(response, r)
	s.turn.RUnlock()
	if r.Method == http.MethodPost && response.Code == http.StatusCreated {
		this.Created = created(response.Body.Bytes())
	}
	if acts && act != kind {
		s.act(this)
	}
	switch kind {
	case FailsAfter:
		fail(w, http.StatusServiceUnavailable)
		return
	case Lost:
		panic(http.ErrAbortHandler)
	case Kill:
		s.wait(r) // so that the state has what was answered before
		_ = signalGroup(int(s.group.Load()), syscall.SIGKILL)
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), response.Header())
	w.WriteHeader(response.Code)
	_, _ = w.Write(response.Body.Bytes()) // the client may be gone
}

// arrive names a request. It returns the kind of the interruption, if this is the request
// for it, and a function that gets the response to a creation.
func (s *stage) arrive(r *http.Request, body []byte) (kind Kind, created func(response []byte) (id string)) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	at, creation := len(s.records), ""
	s.records = append(s.records, Record{Method: r.Method, Path: r.URL.Path, Body: body})
	if s.names != nil {
		var request Request
		if request, creation = s.names.Request(r.Method, r.URL.Path, body); request == s.target.At {
			s.reached, kind = true, s.target.Kind
			s.down = kind == Outage
		}
	}
	if s.down {
		kind = Outage
	}
	return kind, func(response []byte) string {
		var object struct {
			ID string `json:"id"`
		}
		_ = json.Unmarshal(response, &object) // a response without an id creates no object
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.records[at].Created = object.ID
		if s.names != nil {
			s.names.Created(creation, object.ID)
		}
		return object.ID
	}
}

// act lets somebody else act while no request is processed.
func (s *stage) act(this held) {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.actor.do(this)
}

// wait waits in runs with signals.
func (s *stage) wait(r *http.Request) {
	s.mutex.Lock()
	waits := signals[s.target.Kind] != 0
	s.mutex.Unlock()
	if !waits {
		return
	}
	select {
	case <-time.After(signalLatency):
	case <-r.Context().Done():
	}
}

// fail sends an error in the format of the API.
func fail(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	failure := &problem.Problem{Status: status, Message: "explore interrupts this request, or does not permit it"}
	_ = json.NewEncoder(w).Encode(failure.Body("op_explore"))
}

// minuteLater moves the clock: the provider believes no 404 of an object that is seconds
// old, and a person does not go on in the same second.
func (s *stage) minuteLater() error {
	return s.server.SetClock(s.server.Now().Add(time.Minute), false)
}

// execute runs a command in a process group of its own, until none of its processes runs.
func (s *stage) execute(cmd *exec.Cmd) error {
	inGroup(cmd)
	cmd.Cancel = func() error { return signalGroup(cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return err
	}
	s.group.Store(int64(cmd.Process.Pid))
	late := time.AfterFunc(s.timeout, func() {
		fmt.Fprintf(os.Stderr, "%s has run for %s, and is killed: use -timeout if that is too short\n", cmd.Args[0], s.timeout)
		_ = signalGroup(cmd.Process.Pid, syscall.SIGKILL)
	})
	err := cmd.Wait()
	late.Stop()
	awaitGroup(cmd.Process.Pid, maxAfterSignal)
	s.active.Wait()
	return err
}
