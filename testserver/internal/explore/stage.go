package explore

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
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
	names   *Names        // of the run; nil while the undisturbed apply is recorded
	target  *Interruption // nil in a run that is not interrupted
	actor   *actor        // nil without one
	reached bool
	down    bool // the outage has begun
	records []Record
}

// begin begins a run. Without names, its requests are recorded.
func (s *stage) begin(names *Names, target *Interruption, other *actor) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.names, s.target, s.reached, s.down, s.records = names, target, false, false, nil
	s.actor = other
}

// end ends the interruption. Later requests are only named. It reports whether the
// request to interrupt came.
func (s *stage) end() (reached bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.target, s.down = nil, false
	return s.reached
}

const (
	// signalLatency is how long requests take in runs with signals. Without it,
	// Terraform is often killed while it writes its state.
	signalLatency = 50 * time.Millisecond
	// maxNamed is the maximum size of a body that names its request. The server
	// refuses larger ones.
	maxNamed = 1 << 20
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
	kind, down, created := s.arrive(r, body)
	switch {
	case down:
		panic(http.ErrAbortHandler) // closes the connection
	case kind == Fails:
		fail(w, http.StatusInternalServerError)
		return
	case kind == Interrupt || kind == Terminate:
		_ = signalGroup(int(s.group.Load()), signals[kind])
	}
	s.wait(r)
	response := httptest.NewRecorder()
	this := held{method: r.Method, path: r.URL.Path, body: body}
	act, acts := kind.act()
	if acts {
		this.was, _ = s.actor.get(this.path)
	}
	if acts && act == kind {
		s.act(this)
	}
	s.turn.RLock()
	s.server.ServeHTTP(response, r)
	s.turn.RUnlock()
	if r.Method == http.MethodPost && response.Code == http.StatusCreated {
		this.created = created(response.Body.Bytes())
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
func (s *stage) arrive(r *http.Request, body []byte) (kind Kind, down bool, created func(response []byte) (id string)) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	names, at := s.names, len(s.records)
	if names == nil {
		s.records = append(s.records, Record{Method: r.Method, Path: r.URL.Path, Body: body})
	}
	creation := ""
	if names != nil {
		var request Request
		request, creation = names.Request(r.Method, r.URL.Path, body)
		if s.target != nil && s.target.At == request {
			s.reached, kind = true, s.target.Kind
			s.down = kind == Outage
		}
	}
	return kind, s.down, func(response []byte) string {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		id := idIn(response)
		if names == nil {
			s.records[at].Created = id
		} else {
			names.Created(creation, id)
		}
		return id
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
	waits := s.target != nil && signals[s.target.Kind] != 0
	s.mutex.Unlock()
	if !waits {
		return
	}
	select {
	case <-time.After(signalLatency):
	case <-r.Context().Done():
	}
}

func idIn(response []byte) string {
	var object struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(response, &object) // a response without an id creates no object
	return object.ID
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

// account returns the objects of the server.
func (s *stage) account() (Account, error) { return ParseAccount(s.server.Export()) }
