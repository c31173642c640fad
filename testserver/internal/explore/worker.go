package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// worker interrupts applies in a folder of its own that uses a server of its own.
type worker struct {
	*stage
	folder  *copy.Folder
	planned string // file of the plan that is applied with each interruption
	stop    func()
}

// newWorker serves an account for a folder.
func newWorker(account []byte, folder *copy.Folder) (*worker, error) {
	s := &stage{server: testserver.New()}
	end, err := copy.Serve(account, s.server, s)
	if err != nil {
		return nil, err
	}
	stop := func() { end(); folder.Remove() }
	return &worker{stage: s, folder: folder.On(s.server), planned: folder.File("rehearsal"), stop: stop}, nil
}

// start restores the account and the files.
func (w *worker) start() error {
	w.server.Reset()
	if err := w.minuteLater(); err != nil {
		return err
	}
	return w.folder.Restore()
}

// ran is what a run has done.
type ran struct {
	told      Told
	succeeded bool
	done      bool // and nothing is left to do
	changed   bool // it may have changed something; false for a plan
	torn      bool // it left an empty state or half a state, which was replaced by its backup
	changes   int  // of the plan
	failure   string
}

// run applies the plan, and repairs the state if it was cut off.
func (w *worker) run(ctx context.Context) (*ran, error) {
	r, err := w.apply(ctx, w.planned)
	if err == nil {
		r.torn, err = w.folder.RestoreBackup()
	}
	return r, err
}

// apply applies the plan in a file.
func (w *worker) apply(ctx context.Context, file string) (*ran, error) {
	arguments := append([]string{"apply", "-json", "-input=false"}, w.folder.Options("-parallelism", "-lock-timeout")...)
	return w.terraform(ctx, append(arguments, file)...)
}

// again imports, plans, and applies the plan if it has changes and stays in the copy.
func (w *worker) again(ctx context.Context, imports []Import) (*ran, error) {
	for _, object := range imports {
		arguments := append([]string{"import", "-input=false", "-no-color"}, w.folder.Options("-var")...)
		if _, err := w.terraform(ctx, append(arguments, object.Address, object.ID)...); err != nil {
			return nil, err
		}
	}
	file := w.folder.File("again of " + filepath.Base(w.folder.Dir))
	planned, err := w.terraform(ctx, w.folder.Planning(file, "-json")...)
	if err != nil || !planned.succeeded {
		return planned, err
	}
	if planned.changes == 0 {
		planned.done, planned.changed = true, false
		return planned, nil
	}
	if _, err := w.folder.Check(ctx, file); err != nil {
		return nil, err
	}
	return w.apply(ctx, file)
}

// terraform runs Terraform.
func (w *worker) terraform(ctx context.Context, arguments ...string) (*ran, error) {
	out, messages, succeeded, err := w.execute(ctx, w.folder.Command(ctx, arguments...))
	if err != nil {
		return nil, err
	}
	r, events := &ran{succeeded: succeeded, changed: true, changes: -1}, copy.ParseEvents(out)
	for _, e := range events {
		switch {
		case copy.Failure(e) != "":
			r.told.Errors = append(r.told.Errors, Message{Address: e.Diagnostic.Address, Text: e.Diagnostic.Summary + "\n" + e.Diagnostic.Detail})
		case e.Type == "apply_complete" && e.Hook.ID != "":
			r.told.Progress = append(r.told.Progress, e.Hook.ID)
		case e.Type == "change_summary" && e.Changes.Operation == "plan":
			r.changes = e.Changes.Add + e.Changes.Change + e.Changes.Import + e.Changes.Remove
		}
	}
	r.failure = problem.Escape(copy.Failure(events...))
	if !r.succeeded && r.failure == "" {
		r.failure = problem.Escape(strings.TrimSpace(string(messages)))
	}
	return r, nil
}

const (
	// maxAfterSignal is how long a process can run after the first one of its group.
	maxAfterSignal = 30 * time.Second
	// maxRun is how long a command can run: a client may repeat a request for ever.
	maxRun = 10 * time.Minute
)

// execute runs a command in a process group of its own, until none of its processes runs.
// It returns what the command has printed, and whether it ended with code 0.
func (w *worker) execute(ctx context.Context, cmd *exec.Cmd) (out, messages []byte, succeeded bool, err error) {
	inGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	var printed, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &failure
	if err := cmd.Start(); err != nil {
		return nil, nil, false, err
	}
	w.group.Store(int64(cmd.Process.Pid))
	late := time.AfterFunc(maxRun, func() {
		fmt.Fprintf(os.Stderr, "%s has run for %s, and is killed\n", cmd.Args[0], maxRun)
		_ = killGroup(cmd.Process.Pid)
	})
	err = cmd.Wait()
	late.Stop()
	awaitGroup(cmd.Process.Pid, maxAfterSignal)
	w.active.Wait()
	if ctx.Err() != nil {
		return nil, nil, false, copy.ErrInterrupted
	}
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, nil, false, err
	}
	return printed.Bytes(), failure.Bytes(), cmd.ProcessState.Success(), nil
}

// look is what the service has, and what the state knows of it.
type look struct {
	account Account
	held    map[string]string // addresses of the known objects, by id
}

func (w *worker) look() (*look, error) {
	account, err := w.account()
	if err != nil {
		return nil, err
	}
	state, err := w.folder.State()
	if err != nil {
		return nil, err
	}
	held, err := ParseState(state)
	return &look{account, held}, err
}
