package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

// terraform is an apply of Terraform or OpenTofu in a copy of a directory.
type terraform struct {
	*stage
	space *workspace
}

func (t *terraform) another(s *stage) (subject, error) {
	space, err := t.space.another()
	if err != nil {
		return nil, err
	}
	return &terraform{s, space.of(s.server)}, nil
}

func (t *terraform) remove() { t.space.remove() }

func (t *terraform) restore(state []byte) error {
	if state == nil {
		return t.space.restore()
	}
	return t.space.restoreState(state)
}

func (t *terraform) learn(ctx context.Context, x *explorer) (err error) {
	x.kinds, x.words, x.tries = explore.Kinds, explore.Apply, 4 // the last one to see that the plan is empty
	if x.judge.Plan, err = t.plan(ctx); err != nil || x.judge.Plan.Changes == 0 {
		return err
	}
	before, err := t.look()
	if err != nil {
		return err
	}
	x.judge.Before, x.judge.Held = before.account, before.held
	maps.Copy(x.judge.Held, x.judge.Plan.Addresses)
	t.begin(nil, nil)
	undisturbed, err := t.run(ctx)
	if err != nil {
		return err
	}
	if !undisturbed.succeeded {
		return fmt.Errorf("the apply fails without an interruption: %s", undisturbed.failure)
	}
	after, err := t.look()
	if err != nil {
		return err
	}
	x.judge.After, x.judge.HeldAfter = after.account, after.held
	x.script = explore.Learn(x.judge.Held, x.judge.HeldAfter, t.records)
	again, err := t.again(ctx, nil)
	if err == nil && !again.done {
		err = errors.New("the apply does not converge without an interruption: the next plan is not empty")
	}
	return err
}

// plan makes the plan that is applied with each interruption.
func (t *terraform) plan(ctx context.Context) (*explore.Planned, error) {
	t.begin(nil, nil)
	events, err := t.space.events(ctx, append([]string{"plan", "-json", "-input=false", "-out=" + planFile}, t.space.options...)...)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		if failure := e.failure(); failure != "" {
			return nil, firstPlanFails(printable(failure))
		}
	}
	_, printed, err := t.space.show(ctx, planFile)
	if err != nil {
		return nil, err
	}
	return explore.ParsePlan(printed)
}

// run applies the plan, and repairs the state if it was cut off.
func (t *terraform) run(ctx context.Context) (*ran, error) {
	r, err := t.apply(ctx, planFile)
	if err != nil {
		return nil, err
	}
	r.torn, err = t.restoreBackup()
	return r, err
}

// restoreBackup does what the guide says about a state of 0 bytes: it copies the backup
// over it. It does so for half a state too.
func (t *terraform) restoreBackup() (bool, error) {
	name := filepath.Join(t.space.dir, stateFile)
	state, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) || err == nil && json.Valid(state) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	backup, err := os.ReadFile(filepath.Join(t.space.dir, backupFile))
	if err != nil { // the first apply has none
		return true, os.Remove(name)
	}
	return true, os.WriteFile(name, backup, 0o600)
}

// apply applies the plan in a file.
func (t *terraform) apply(ctx context.Context, file string) (*ran, error) {
	arguments := []string{"apply", "-json", "-input=false"}
	for _, option := range t.space.options {
		if strings.Contains(option, "-parallelism") || strings.Contains(option, "-lock-timeout") {
			arguments = append(arguments, option)
		}
	}
	r, _, err := t.terraform(ctx, append(arguments, file)...)
	return r, err
}

// again imports, plans, and applies the plan if it has changes and stays in the copy.
func (t *terraform) again(ctx context.Context, imports []explore.Import) (*ran, error) {
	for _, object := range imports {
		if err := t.importObject(ctx, object); err != nil {
			return nil, err
		}
	}
	const file = "again.plan"
	planned, changes, err := t.terraform(ctx, append([]string{"plan", "-json", "-input=false", "-out=" + file}, t.space.options...)...)
	if err != nil || !planned.succeeded {
		return planned, err
	}
	if changes == 0 {
		planned.done, planned.changed = true, false
		return planned, nil
	}
	if _, _, err := t.space.show(ctx, file); err != nil {
		return nil, err
	}
	return t.apply(ctx, file)
}

// importObject imports an object as an error advises.
func (t *terraform) importObject(ctx context.Context, object explore.Import) error {
	arguments := []string{"import", "-input=false", "-no-color"}
	for _, option := range t.space.options {
		if strings.Contains(option, "-var") {
			arguments = append(arguments, option)
		}
	}
	_, _, err := t.terraform(ctx, append(arguments, object.Address, object.ID)...)
	return err
}

// terraform runs Terraform. It returns the number of changes that its plan has, or -1 if
// it did not plan.
func (t *terraform) terraform(ctx context.Context, arguments ...string) (r *ran, changes int, err error) {
	out, failure, succeeded, err := t.execute(ctx, programIn(ctx, t.space.dir, t.space.environment, t.space.program, arguments...))
	if err != nil {
		return nil, 0, err
	}
	r, changes = &ran{succeeded: succeeded, changed: true}, -1
	for _, e := range parseEvents(out) {
		switch {
		case e.failure() != "":
			r.fail(e)
		case e.Type == "apply_complete" && e.Hook.ID != "":
			r.told.Progress = append(r.told.Progress, e.Hook.ID)
		case e.Type == "change_summary" && e.Changes != nil && e.Changes.Operation == "plan":
			changes = e.Changes.Add + e.Changes.Change + e.Changes.Import + e.Changes.Remove
		}
	}
	if !r.succeeded && r.failure == "" {
		r.failure = printable(strings.TrimSpace(string(failure)))
	}
	r.imports = explore.Imports(r.told.Errors)
	return r, changes, nil
}

func (r *ran) fail(e event) {
	text := e.Diagnostic.Summary + "\n" + e.Diagnostic.Detail
	r.told.Errors = append(r.told.Errors, explore.Message{Address: e.Diagnostic.Address, Text: text})
	if r.failure == "" {
		r.failure = printable(e.failure())
	}
}

func (t *terraform) look() (*look, error) {
	account, err := t.account()
	if err != nil {
		return nil, err
	}
	state, err := os.ReadFile(filepath.Join(t.space.dir, stateFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	held, err := explore.ParseState(state)
	return &look{account: account, held: held, state: append([]byte{}, state...)}, err
}
