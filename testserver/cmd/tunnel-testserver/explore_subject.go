package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

// subject is what is interrupted: terraform apply, or another command. Each worker has
// one. Its processes run in the process group of the stage, and send requests to its
// server.
type subject interface {
	// learn finds out what the subject does if nothing interrupts it.
	learn(ctx context.Context, x *explorer) error
	// run does what is interrupted.
	run(ctx context.Context) (*ran, error)
	// again goes on after run, after the imports that an error advises.
	again(ctx context.Context, imports []explore.Import) (*ran, error)
	// look returns what exists.
	look() (*look, error)
	// restore restores the files as they were for look, or for the start if state is nil.
	restore(state []byte) error
	// another returns the same subject for another worker.
	another(s *stage) (subject, error)
	// remove removes the files of the subject.
	remove()
}

// ran is what a run has done.
type ran struct {
	told      explore.Told
	imports   []explore.Import // that errors advise
	succeeded bool
	done      bool // and nothing is left to do
	changed   bool // it may have changed something; false for a plan
	torn      bool // it left an empty state or half a state, which was replaced by its backup
	failure   string
}

// look is what the service has, and what the subject knows of it.
type look struct {
	account explore.Account
	held    map[string]string // addresses of the known objects, by id
	state   []byte            // file that knows them
	wrong   string            // what is missing, if the subject has no other way to notice it
}

// worker interrupts a subject that uses a server of its own.
type worker struct {
	subject
	stage *stage
	stop  func()
}

// newWorker serves an account for a new subject.
func newWorker(ctx context.Context, account []byte, open func(*stage) (subject, error)) (*worker, error) {
	w := &worker{stage: &stage{server: testserver.New()}}
	end, err := serveCopy(ctx, account, w.stage.server, w.stage)
	if err != nil {
		return nil, err
	}
	if w.subject, err = open(w.stage); err != nil {
		end()
		return nil, err
	}
	w.stop = func() { end(); w.remove() }
	return w, nil
}

// start restores the account and the files.
func (w *worker) start() error {
	w.stage.server.Reset()
	if err := w.stage.minuteLater(); err != nil {
		return err
	}
	return w.restore(nil)
}

// minuteLater moves the clock: objects younger than 30 seconds count as lagging for the
// provider, and a person does not go on in the same second.
func (s *stage) minuteLater() error {
	return s.server.SetClock(s.server.Now().Add(time.Minute), false)
}

// account returns the objects of the server.
func (s *stage) account() (explore.Account, error) { return explore.ParseAccount(s.server.Export()) }

// snapshot sends a request to the control endpoint of a snapshot.
func (s *stage) snapshot(method, path string) error {
	r := httptest.NewRequest(method, "/_testserver/snapshots/"+path, http.NoBody)
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer "+s.server.AdminKey)
	response := httptest.NewRecorder()
	s.server.ServeHTTP(response, r)
	if response.Code >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %s", method, path, response.Body)
	}
	return nil
}
