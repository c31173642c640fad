package copy

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Command returns a command of Terraform in the copy. It is stopped with an interrupt.
func (f *Folder) Command(ctx context.Context, arguments ...string) *exec.Cmd {
	return command(ctx, f.Dir, f.environment, f.program, arguments...)
}

// ErrInterrupted is the error of a program that runs when its context ends.
var ErrInterrupted = errors.New("interrupted")

// stopWait is how long a program can take to stop after a signal.
const stopWait = 10 * time.Second

func command(ctx context.Context, dir string, environment []string, program string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environment, stopWait
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return cmd
}

// Execute runs a program, and returns what it has printed. The code with which it ends is
// not an error. run starts it and waits for it.
func Execute(ctx context.Context, cmd *exec.Cmd, run func(*exec.Cmd) error) (out, messages []byte, err error) {
	var printed, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &failure
	err = run(cmd)
	if ctx.Err() != nil {
		return nil, nil, ErrInterrupted
	}
	if _, ended := errors.AsType[*exec.ExitError](err); ended || errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	return printed.Bytes(), failure.Bytes(), err
}

// output runs a program and returns its output. An error contains what it has printed.
func output(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	out, messages, err := Execute(ctx, cmd, (*exec.Cmd).Run)
	if err != nil || cmd.ProcessState.Success() {
		return out, err
	}
	printed := cmp.Or(strings.TrimSpace(string(messages)), strings.TrimSpace(string(out)))
	return nil, fmt.Errorf("%s %s: %s\n%s", filepath.Base(cmd.Path), cmd.Args[1], cmd.ProcessState, printed)
}

// Ran is what a run of a program has done.
type Ran struct {
	Succeeded bool
	Failure   string // the first error for people; empty if it succeeded
	Errors    []Diagnostic
	Warnings  []Diagnostic
	Planned   []Change // what a plan changes, by address
	Changes   int      // number of changes of a plan; -1 of another run of Terraform
}

// Done reports whether nothing is left to do: a plan has no changes.
func (r *Ran) Done() bool { return r.Succeeded && r.Changes == 0 }

// Diagnostic is an error or a warning of Terraform.
type Diagnostic struct{ Severity, Summary, Detail, Address string }

// Text returns all lines.
func (d Diagnostic) Text() string { return d.Summary + "\n" + d.Detail }

// Change is what a plan changes at an address. Action is create, update, replace, delete
// or another one of Terraform.
type Change struct{ Address, Action string }

// Run runs Terraform, and reads what it prints with -json.
func (f *Folder) Run(ctx context.Context, arguments ...string) (*Ran, error) {
	cmd := f.Command(ctx, arguments...)
	out, messages, err := Execute(ctx, cmd, f.execute)
	if err != nil {
		return nil, err
	}
	r := parse(out)
	if r.Succeeded = cmd.ProcessState.Success(); r.Succeeded {
		return r, nil
	}
	r.Failure = cmp.Or(strings.TrimSpace(string(messages)), cmd.ProcessState.String())
	if len(r.Errors) > 0 {
		first := r.Errors[0]
		r.Failure = first.Summary
		if first.Address != "" {
			r.Failure += " (" + first.Address + ")"
		}
		if detail, _, _ := strings.Cut(strings.TrimSpace(first.Detail), "\n"); detail != "" {
			r.Failure += ": " + detail
		}
	}
	r.Failure = problem.Escape(r.Failure)
	return r, nil
}

// parse reads the output of Terraform with -json.
func parse(out []byte) *Ran {
	r := &Ran{Changes: -1}
	for line := range bytes.Lines(out) {
		var e struct {
			Type       string
			Diagnostic Diagnostic
			Change     struct {
				Resource struct{ Addr string }
				Action   string
			}
			Changes struct {
				Add, Change, Import, Remove int
				Operation                   string
			}
		}
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		switch {
		case e.Type == "diagnostic" && e.Diagnostic.Severity == "error":
			r.Errors = append(r.Errors, e.Diagnostic)
		case e.Type == "diagnostic":
			r.Warnings = append(r.Warnings, e.Diagnostic)
		case e.Type == "planned_change" && e.Change.Action != "noop" && e.Change.Action != "read":
			r.Planned = append(r.Planned, Change{e.Change.Resource.Addr, e.Change.Action})
		case e.Type == "change_summary" && e.Changes.Operation == "plan":
			r.Changes = e.Changes.Add + e.Changes.Change + e.Changes.Import + e.Changes.Remove
		}
	}
	slices.SortFunc(r.Planned, func(a, b Change) int { return cmp.Compare(a.Address, b.Address) })
	return r
}

// first is the file of the plan that all copies of a folder apply.
func (f *Folder) first() string { return f.File("first") }

// last is the file of the last other plan of this copy.
func (f *Folder) last() string { return f.File("last of " + filepath.Base(f.Dir)) }

// FirstPlan makes the first plan, and checks it.
func (f *Folder) FirstPlan(ctx context.Context) (*Plan, error) {
	planned, err := f.Run(ctx, f.Planning(f.first(), "-json")...)
	switch {
	case err != nil:
		return nil, err
	case !planned.Succeeded:
		return nil, errors.New("the first plan fails: " + planned.Failure)
	}
	return f.Check(ctx, f.first())
}

// Plan makes another plan.
func (f *Folder) Plan(ctx context.Context) (*Ran, error) {
	return f.Run(ctx, f.Planning(f.last(), "-json")...)
}

// ApplyFirst applies the first plan, which FirstPlan has checked.
func (f *Folder) ApplyFirst(ctx context.Context) (*Ran, error) { return f.apply(ctx, f.first()) }

// Apply applies the last plan, if it stays in the copy.
func (f *Folder) Apply(ctx context.Context) (*Ran, error) {
	if _, err := f.Check(ctx, f.last()); err != nil {
		return nil, err
	}
	return f.apply(ctx, f.last())
}

func (f *Folder) apply(ctx context.Context, file string) (*Ran, error) {
	options := f.Options("-parallelism", "-lock-timeout")
	return f.Run(ctx, slices.Concat([]string{"apply", "-json", "-input=false"}, options, []string{file})...)
}

// PlanAndApply plans, and applies the plan if it has changes and stays in the copy. The
// result also has what was planned.
func (f *Folder) PlanAndApply(ctx context.Context) (*Ran, error) {
	planned, err := f.Plan(ctx)
	if err != nil || !planned.Succeeded || planned.Done() {
		return planned, err
	}
	applied, err := f.Apply(ctx)
	if err == nil {
		applied.Planned = planned.Planned
	}
	return applied, err
}
