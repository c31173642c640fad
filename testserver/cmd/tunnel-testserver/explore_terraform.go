package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

// terraform is an apply of Terraform or OpenTofu in a copy of a directory.
type terraform struct {
	*stage
	folder  *copy.Folder
	planned string // file of the plan that is applied with each interruption
}

func newTerraform(s *stage, folder *copy.Folder) *terraform {
	return &terraform{s, onServer(folder, s.server), folder.File("rehearsal")}
}

func (t *terraform) another(s *stage) (subject, error) {
	folder, err := t.folder.Another()
	if err != nil {
		return nil, err
	}
	return newTerraform(s, folder), nil
}

func (t *terraform) remove() { t.folder.Remove() }

func (t *terraform) restore(state []byte) error { return t.folder.Restore(state) }

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
	events, err := t.folder.Plan(ctx, t.planned)
	if err != nil {
		return nil, err
	}
	if failure := copy.Failure(events...); failure != "" {
		return nil, firstPlanFails(printable(failure))
	}
	plan, err := t.folder.Check(ctx, t.planned)
	if err != nil {
		return nil, err
	}
	return explore.ParsePlan(plan.JSON)
}

// run applies the plan, and repairs the state if it was cut off.
func (t *terraform) run(ctx context.Context) (*ran, error) {
	r, err := t.apply(ctx, t.planned)
	if err != nil {
		return nil, err
	}
	r.torn, err = t.folder.RestoreBackup()
	return r, err
}

// apply applies the plan in a file.
func (t *terraform) apply(ctx context.Context, file string) (*ran, error) {
	arguments := append([]string{"apply", "-json", "-input=false"}, t.folder.Options("-parallelism", "-lock-timeout")...)
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
	file := t.folder.File("again of " + filepath.Base(t.folder.Dir))
	planned, changes, err := t.terraform(ctx, t.folder.Planning(file, "-json")...)
	if err != nil || !planned.succeeded {
		return planned, err
	}
	if changes == 0 {
		planned.done, planned.changed = true, false
		return planned, nil
	}
	if _, err := t.folder.Check(ctx, file); err != nil {
		return nil, err
	}
	return t.apply(ctx, file)
}

// importObject imports an object as an error advises.
func (t *terraform) importObject(ctx context.Context, object explore.Import) error {
	arguments := append([]string{"import", "-input=false", "-no-color"}, t.folder.Options("-var")...)
	_, _, err := t.terraform(ctx, append(arguments, object.Address, object.ID)...)
	return err
}

// terraform runs Terraform. It returns the number of changes that its plan has, or -1 if
// it did not plan.
func (t *terraform) terraform(ctx context.Context, arguments ...string) (r *ran, changes int, err error) {
	out, failure, succeeded, err := t.execute(ctx, t.folder.Command(ctx, arguments...))
	if err != nil {
		return nil, 0, err
	}
	r, changes = &ran{succeeded: succeeded, changed: true}, -1
	events := copy.ParseEvents(out)
	for _, e := range events {
		switch {
		case copy.Failure(e) != "":
			r.told.Errors = append(r.told.Errors,
				explore.Message{Address: e.Diagnostic.Address, Text: e.Diagnostic.Summary + "\n" + e.Diagnostic.Detail})
		case e.Type == "apply_complete" && e.Hook.ID != "":
			r.told.Progress = append(r.told.Progress, e.Hook.ID)
		case e.Type == "change_summary" && e.Changes.Operation == "plan":
			changes = e.Changes.Add + e.Changes.Change + e.Changes.Import + e.Changes.Remove
		}
	}
	r.failure = printable(copy.Failure(events...))
	if !r.succeeded && r.failure == "" {
		r.failure = printable(strings.TrimSpace(string(failure)))
	}
	r.imports = explore.Imports(r.told.Errors)
	return r, changes, nil
}

func (t *terraform) look() (*look, error) {
	account, err := t.account()
	if err != nil {
		return nil, err
	}
	state, err := t.folder.State()
	if err != nil {
		return nil, err
	}
	held, err := explore.ParseState(state)
	return &look{account: account, held: held, state: append([]byte{}, state...)}, err
}
