package copy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Event is a line that Terraform prints with -json.
type Event struct {
	Type       string
	Diagnostic struct{ Severity, Summary, Detail, Address string }
	Change     struct {
		Resource struct{ Addr string }
		Action   string
	}
	Hook struct {
		Resource struct{ Addr string }
		ID       string `json:"id_value"`
	}
	Changes struct {
		Add, Change, Import, Remove int
		Operation                   string
	}
}

// Plan writes a plan to a file.
func (f *Folder) Plan(ctx context.Context, file string) ([]Event, error) {
	return f.events(ctx, f.Planning(file, "-json")...)
}

// FirstPlan writes a plan to a file, and checks it.
func (f *Folder) FirstPlan(ctx context.Context, file string) (*Plan, error) {
	events, err := f.Plan(ctx, file)
	if err != nil {
		return nil, err
	}
	if failure := Failure(events...); failure != "" {
		return nil, errors.New("the first plan fails: " + problem.Escape(failure))
	}
	return f.Check(ctx, file)
}

// Apply applies the plan in a file, if it stays in the copy.
func (f *Folder) Apply(ctx context.Context, file string) ([]Event, error) {
	if _, err := f.Check(ctx, file); err != nil {
		return nil, err
	}
	return f.ApplyChecked(ctx, file)
}

// ApplyChecked applies the plan in a file that Check has seen.
func (f *Folder) ApplyChecked(ctx context.Context, file string) ([]Event, error) {
	options := f.Options("-parallelism", "-lock-timeout")
	return f.events(ctx, slices.Concat([]string{"apply", "-json", "-input=false"}, options, []string{file})...)
}

// events runs Terraform with -json and returns what it prints. If it fails without an
// event that says why, that is an error.
func (f *Folder) events(ctx context.Context, arguments ...string) ([]Event, error) {
	out, err := output(ctx, f.Command(ctx, arguments...))
	all := ParseEvents(out)
	if err != nil && Failure(all...) == "" {
		return nil, err
	}
	return all, nil
}

// ParseEvents returns the events in the output of Terraform with -json.
func ParseEvents(out []byte) (all []Event) {
	for line := range bytes.Lines(out) {
		var one Event
		if json.Unmarshal(line, &one) == nil {
			all = append(all, one)
		}
	}
	return all
}

// Failure returns the first error in events, or "".
func Failure(events ...Event) string {
	first := slices.IndexFunc(events, func(e Event) bool { return e.Type == "diagnostic" && e.Diagnostic.Severity == "error" })
	if first < 0 {
		return ""
	}
	found := events[first].Diagnostic
	text := found.Summary
	if found.Address != "" {
		text += " (" + found.Address + ")"
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(found.Detail), "\n"); first != "" {
		text += ": " + first
	}
	return text
}
