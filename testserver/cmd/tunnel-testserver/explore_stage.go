package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

// stage stands in front of a server, names the requests of a run as they come, and
// interrupts one of them. Rules of the server would not do: two requests that
// differ only in ids and times come in another order in each run.
type stage struct {
	server *testserver.Server
	active sync.WaitGroup // requests, also those whose client was killed
	group  atomic.Int64   // process group of the running command
	// restored reports that the command has restored other objects, with what is left.
	restored atomic.Bool

	mutex   sync.Mutex
	names   *explore.Names        // of the run; nil while the undisturbed apply is recorded
	target  *explore.Interruption // nil in a run that is not interrupted
	reached bool
	down    bool // the outage has begun
	records []explore.Record
}

// begin begins a run. Without names, its requests are recorded.
func (s *stage) begin(names *explore.Names, target *explore.Interruption) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.names, s.target, s.reached, s.down, s.records = names, target, false, false, nil
}

// end ends the interruption. Later requests are only named. It reports whether the
// request to interrupt came.
func (s *stage) end() (reached bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	reached = s.reached
	s.target, s.down = nil, false
	return reached
}

// signalLatency is how long requests take in runs with signals. Without it, Terraform is
// often killed while it writes its state.
const signalLatency = 50 * time.Millisecond

// maxLate is how late a response comes if the client does not give up before.
const maxLate = time.Minute

func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.active.Add(1)
	defer s.active.Done()
	if strings.HasPrefix(r.URL.Path, "/_testserver/") { // no service has them
		if deletesObjects(r) {
			s.restored.Store(true)
		}
		s.server.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	kind, down, created := s.arrive(r, body)
	switch {
	case down || kind == explore.Refused:
		panic(http.ErrAbortHandler) // closes the connection
	case kind == explore.Fails:
		fail(w, http.StatusInternalServerError)
		return
	case kind.Signals() && !kind.Kills():
		sendSignals(int(s.group.Load()), kind)
	}
	s.wait(r)
	response := httptest.NewRecorder()
	s.server.ServeHTTP(response, r)
	if r.Method == http.MethodPost && response.Code == http.StatusCreated {
		created(response.Body.Bytes())
	}
	switch {
	case kind == explore.FailsAfter:
		fail(w, http.StatusServiceUnavailable)
		return
	case kind == explore.Lost || kind == explore.LostUnlisted:
		panic(http.ErrAbortHandler)
	case kind == explore.Late:
		select {
		case <-r.Context().Done(): // the client has given up
		case <-time.After(maxLate):
		}
	case kind.Kills():
		s.wait(r) // so that the state has what was answered before
		sendSignals(int(s.group.Load()), kind)
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), response.Header())
	w.WriteHeader(response.Code)
	_, _ = w.Write(response.Body.Bytes()) // the client may be gone
}

// arrive names a request. It returns the kind of the interruption, if this is the request
// for it, and a function that gets the response to a creation.
func (s *stage) arrive(r *http.Request, body []byte) (kind explore.Kind, down bool, created func(response []byte)) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.names == nil {
		at := len(s.records)
		s.records = append(s.records, explore.Record{Method: r.Method, Path: r.URL.Path, Body: body})
		return "", false, func(response []byte) {
			s.mutex.Lock()
			defer s.mutex.Unlock()
			s.records[at].Created = idIn(response)
		}
	}
	names := s.names
	request, creation := names.Request(r.Method, r.URL.Path, body)
	if s.target != nil && s.target.At == request {
		s.reached, kind = true, s.target.Kind
		s.down = kind == explore.Outage
	}
	return kind, s.down, func(response []byte) { names.Created(creation, idIn(response)) }
}

// wait waits in runs with signals.
func (s *stage) wait(r *http.Request) {
	s.mutex.Lock()
	waits := s.target != nil && s.target.Kind.Signals()
	s.mutex.Unlock()
	if !waits {
		return
	}
	select {
	case <-time.After(signalLatency):
	case <-r.Context().Done():
	}
}

func deletesObjects(r *http.Request) bool {
	return r.Method == http.MethodPost && (r.URL.Path == "/_testserver/reset" || strings.HasSuffix(r.URL.Path, "/restore"))
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
	_ = json.NewEncoder(w).Encode(map[string]any{
		"error_code": fmt.Sprintf("ERR_TUNNEL_%d", status), "status_code": status, "msg": "interrupted by explore",
		"details": map[string]string{"operation_id": "op_explore"},
	})
}

// maxAfterSignal is how long a process can run after the first one of its group.
const maxAfterSignal = 30 * time.Second

// maxRun is how long a command can run: a client may repeat a request for ever.
const maxRun = 10 * time.Minute

// execute runs a command in a process group of its own, until none of its processes runs.
// It returns what the command has printed, and whether it ended with code 0.
func (s *stage) execute(ctx context.Context, cmd *exec.Cmd) (out, failure []byte, succeeded bool, err error) {
	inGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	var printed, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &messages
	if err := cmd.Start(); err != nil {
		return nil, nil, false, err
	}
	s.group.Store(int64(cmd.Process.Pid))
	late := time.AfterFunc(maxRun, func() {
		fmt.Fprintf(os.Stderr, "%s has run for %s, and is killed\n", cmd.Args[0], maxRun)
		_ = killGroup(cmd.Process.Pid)
	})
	err = cmd.Wait()
	late.Stop()
	if errors.Is(err, exec.ErrWaitDelay) { // a process that it has started goes on
		err = nil
	}
	awaitGroup(cmd.Process.Pid, maxAfterSignal)
	s.active.Wait()
	if ctx.Err() != nil {
		return nil, nil, false, errors.New("interrupted")
	}
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return nil, nil, false, err
	}
	return printed.Bytes(), messages.Bytes(), err == nil, nil
}
