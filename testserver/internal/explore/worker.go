package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
)

// worker interrupts a subject that uses a server of its own.
type worker struct {
	*stage
	subject
	stop func()
}

// subject is what is interrupted: terraform apply, or another command.
type subject interface {
	// learn finds out what happens without an interruption.
	learn(ctx context.Context, x *explorer) error
	// run does what is interrupted.
	run(ctx context.Context) (*ran, error)
	// again goes on after run, after the imports that errors advise.
	again(ctx context.Context, imports []Import) (*ran, error)
	// second does the same from the start, beside the first one.
	second(ctx context.Context, saved bool) (*look, []Message, error)
	look() (*look, error)
	// restore restores the files as they were at the start.
	restore() error
	// another returns the same subject for the stage of another worker.
	another(s *stage) (subject, error)
	remove()
}

// newWorker serves an account for a new subject.
func newWorker(account []byte, timeout time.Duration, open func(*stage) (subject, error)) (*worker, error) {
	s := &stage{server: testserver.New(), timeout: timeout}
	end, err := copy.Serve(account, s.server, s)
	if err != nil {
		return nil, err
	}
	opened, err := open(s)
	if err != nil {
		end()
		return nil, err
	}
	return &worker{stage: s, subject: opened, stop: func() { end(); opened.remove() }}, nil
}

// start restores the account and the files.
func (w *worker) start() error {
	w.server.Reset()
	if err := w.minuteLater(); err != nil {
		return err
	}
	return w.restore()
}

// ran is what a run has done.
type ran struct {
	errors    []Message
	succeeded bool
	done      bool // and nothing is left to do
	changed   bool // it may have changed something; false for a plan
	torn      bool // it left an empty state or half a state, which was replaced by its backup
	changes   int  // of the plan
	events    []copy.Event
	said      []string // addresses in the plan
	failure   string
}

// look is what the service has, and what the subject knows of it.
type look struct {
	account Account
	held    map[string]string // addresses of the known objects, by id
	failure string            // what is missing or different, if the subject does not notice it
}

const (
	// maxAfterSignal is how long a process can run after the first one of its group.
	maxAfterSignal = 30 * time.Second
)

// execute runs a command in a process group of its own, until none of its processes runs.
// It returns what the command has printed, and whether it ended with code 0.
func (s *stage) execute(ctx context.Context, cmd *exec.Cmd) (out, messages []byte, succeeded bool, err error) {
	inGroup(cmd)
	cmd.Cancel = func() error { return signalGroup(cmd.Process.Pid, syscall.SIGKILL) }
	var printed, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &failure
	if err := cmd.Start(); err != nil {
		return nil, nil, false, err
	}
	s.group.Store(int64(cmd.Process.Pid))
	late := time.AfterFunc(s.timeout, func() {
		fmt.Fprintf(os.Stderr, "%s has run for %s, and is killed: use -timeout if that is too short\n", cmd.Args[0], s.timeout)
		_ = signalGroup(cmd.Process.Pid, syscall.SIGKILL)
	})
	err = cmd.Wait()
	late.Stop()
	awaitGroup(cmd.Process.Pid, maxAfterSignal)
	s.active.Wait()
	if ctx.Err() != nil {
		return nil, nil, false, copy.ErrInterrupted
	}
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, nil, false, err
	}
	return printed.Bytes(), failure.Bytes(), cmd.ProcessState.Success(), nil
}
