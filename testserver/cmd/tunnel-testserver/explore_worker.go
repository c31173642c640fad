package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

// worker interrupts applies in a copy of the directory, with a server of its own.
type worker struct {
	space *workspace
	stage *stage
	group atomic.Int64 // process group of the running command
	stop  func()
}

// newWorker serves the account. Objects younger than 30 seconds count as lagging for the
// provider, so its clock is a minute ahead.
func newWorker(ctx context.Context, space *workspace, account []byte) (*worker, error) {
	w := &worker{stage: &stage{server: testserver.New()}}
	w.stage.signal = func(kind explore.Kind) { sendSignals(int(w.group.Load()), kind) }
	if err := w.stage.server.Seed(account); err != nil {
		return nil, err
	}
	stop, err := serveInBackground(ctx, w.stage.server, w.stage)
	if err != nil {
		return nil, err
	}
	w.stop, w.space = stop, space.of(w.stage.server)
	return w, nil
}

// restore restores the account and the directory.
func (w *worker) restore() error {
	w.stage.server.Reset()
	if err := w.minuteLater(); err != nil {
		return err
	}
	return w.space.restore()
}

// minuteLater moves the clock: objects younger than 30 seconds count as lagging for the
// provider, and a person does not go on in the same second.
func (w *worker) minuteLater() error {
	return w.stage.server.SetClock(w.stage.server.Now().Add(time.Minute), false)
}

// plan makes the plan that is applied with each interruption.
func (w *worker) plan(ctx context.Context) (*explore.Planned, error) {
	w.stage.begin(nil, nil)
	events, err := w.space.events(ctx, append([]string{"plan", "-json", "-input=false", "-out=" + planFile}, w.space.options...)...)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		if failure := e.failure(); failure != "" {
			return nil, firstPlanFails(printable(failure))
		}
	}
	_, printed, err := w.space.show(ctx, planFile)
	if err != nil {
		return nil, err
	}
	return explore.ParsePlan(printed)
}

// ran is what a run of Terraform has done.
type ran struct {
	told      explore.Told
	succeeded bool
	changes   int // that its plan has; -1 if it did not plan
	failure   string
}

// apply applies the plan in a file.
func (w *worker) apply(ctx context.Context, file string) (*ran, error) {
	arguments := []string{"apply", "-json", "-input=false"}
	for _, option := range w.space.options {
		if strings.Contains(option, "-parallelism") || strings.Contains(option, "-lock-timeout") {
			arguments = append(arguments, option)
		}
	}
	return w.terraform(ctx, append(arguments, file)...)
}

// applyAgain plans, and applies the plan if it has changes and stays in the copy.
func (w *worker) applyAgain(ctx context.Context) (*ran, error) {
	const file = "again.plan"
	planned, err := w.terraform(ctx, append([]string{"plan", "-json", "-input=false", "-out=" + file}, w.space.options...)...)
	if err != nil || !planned.succeeded || planned.changes == 0 {
		return planned, err
	}
	if _, _, err := w.space.show(ctx, file); err != nil {
		return nil, err
	}
	applied, err := w.apply(ctx, file)
	if err != nil {
		return nil, err
	}
	applied.changes = planned.changes
	return applied, nil
}

// importObject imports an object as an error advises.
func (w *worker) importObject(ctx context.Context, object explore.Import) (*ran, error) {
	arguments := []string{"import", "-input=false", "-no-color"}
	for _, option := range w.space.options {
		if strings.Contains(option, "-var") {
			arguments = append(arguments, option)
		}
	}
	return w.terraform(ctx, append(arguments, object.Address, object.ID)...)
}

// maxAfterSignal is how long a provider may run after its Terraform.
const maxAfterSignal = 30 * time.Second

// terraform runs Terraform in a process group of its own, until none of its processes
// runs.
func (w *worker) terraform(ctx context.Context, arguments ...string) (*ran, error) {
	cmd := programIn(ctx, w.space.dir, w.space.environment, w.space.program, arguments...)
	inGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	var out, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failure
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w.group.Store(int64(cmd.Process.Pid))
	err := cmd.Wait()
	awaitGroup(cmd.Process.Pid, maxAfterSignal)
	w.stage.active.Wait()
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return nil, err
	}
	done := &ran{succeeded: err == nil, changes: -1}
	for _, e := range parseEvents(out.Bytes()) {
		done.add(e)
	}
	if !done.succeeded && done.failure == "" {
		done.failure = printable(strings.TrimSpace(failure.String()))
	}
	return done, nil
}

func (r *ran) add(e event) {
	switch {
	case e.failure() != "":
		text := e.Diagnostic.Summary + "\n" + e.Diagnostic.Detail
		r.told.Errors = append(r.told.Errors, explore.Message{Address: e.Diagnostic.Address, Text: text})
		if r.failure == "" {
			r.failure = printable(e.failure())
		}
	case e.Type == "apply_complete" && e.Hook.ID != "":
		r.told.Progress = append(r.told.Progress, e.Hook.ID)
	case e.Type == "change_summary" && e.Changes != nil && e.Changes.Operation == "plan":
		r.changes = e.Changes.Add + e.Changes.Change + e.Changes.Import + e.Changes.Remove
	}
}

// look is what the service and the state hold.
type look struct {
	account explore.Account
	held    map[string]string
	state   []byte
}

func (w *worker) look() (*look, error) {
	account, err := explore.ParseAccount(w.stage.server.Export())
	if err != nil {
		return nil, err
	}
	state, err := os.ReadFile(filepath.Join(w.space.dir, stateFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	held, err := explore.ParseState(state)
	return &look{account, held, state}, err
}

// snapshot sends a request to the control endpoint of a snapshot.
func (w *worker) snapshot(method, path string) error {
	r := httptest.NewRequest(method, "/_testserver/snapshots/"+path, http.NoBody)
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer "+w.stage.server.AdminKey)
	response := httptest.NewRecorder()
	w.stage.server.ServeHTTP(response, r)
	if response.Code >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %s", method, path, response.Body)
	}
	return nil
}
