package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"path/filepath"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// configuration is an apply of Terraform in a folder of its own. It has converged if the
// next plan is empty.
type configuration struct {
	*stage
	folder  *copy.Folder
	planned string // file of the plan that is applied with each interruption
	first   *copy.Plan

	rival  *configuration   // of a second pipeline; nil before its first act
	direct *httptest.Server // that it uses
}

func newConfiguration(s *stage, folder *copy.Folder, environment ...string) *configuration {
	return &configuration{stage: s, folder: folder.On(s.server, environment...), planned: folder.File("rehearsal")}
}

func (c *configuration) another(s *stage) (subject, error) {
	folder, err := c.folder.Another()
	if err != nil {
		return nil, err
	}
	other := newConfiguration(s, folder)
	other.first = c.first
	return other, nil
}

func (c *configuration) restore() error { return c.folder.Restore() }

func (c *configuration) remove() {
	c.folder.Remove()
	if c.rival != nil {
		c.rival.remove()
		c.direct.Close()
	}
}

// learn plans, and applies the plan without an interruption.
func (c *configuration) learn(ctx context.Context, x *explorer) error {
	c.begin(nil, nil, nil)
	var err error
	if c.first, err = c.folder.FirstPlan(ctx, c.planned); err != nil {
		return err
	}
	if x.judge.Plan = ReadPlan(c.first); x.judge.Plan.Changes == 0 {
		return nil
	}
	before, err := c.look()
	if err != nil {
		return err
	}
	x.judge.Before, x.judge.Held = before.account, before.held
	maps.Copy(x.judge.Held, x.judge.Plan.Addresses)
	c.begin(nil, nil, nil)
	x.judge.World = c.server.World(nil)
	recording, stop := c.server.Record()
	undisturbed, err := c.run(ctx)
	stop()
	if err != nil {
		return err
	}
	if !undisturbed.succeeded {
		return fmt.Errorf("the apply fails without an interruption: %s", undisturbed.failure)
	}
	after, err := c.look()
	if err != nil {
		return err
	}
	x.judge.After, x.judge.HeldAfter = after.account, after.held
	x.judge.Traffic = recording.Follow(recording.Requests(), x.judge.World)
	x.script = Learn(x.judge.Held, x.judge.HeldAfter, c.records, false)
	again, err := c.again(ctx, nil)
	if err == nil && !again.done {
		err = errors.New("the apply does not converge without an interruption: the next plan is not empty")
	}
	return err
}

// run applies the plan, and repairs the state if it was cut off.
func (c *configuration) run(ctx context.Context) (*ran, error) {
	r, err := c.apply(ctx, c.planned)
	if err == nil {
		r.torn, err = c.folder.RestoreBackup()
	}
	return r, err
}

// apply applies the plan in a file.
func (c *configuration) apply(ctx context.Context, file string) (*ran, error) {
	arguments := append([]string{"apply", "-json", "-input=false"}, c.folder.Options("-parallelism", "-lock-timeout")...)
	return c.terraform(ctx, append(arguments, file)...)
}

// again imports, plans, and applies the plan if it has changes and stays in the copy.
func (c *configuration) again(ctx context.Context, imports []Import) (*ran, error) {
	for _, object := range imports {
		arguments := append([]string{"import", "-input=false", "-no-color"}, c.folder.Options("-var")...)
		if _, err := c.terraform(ctx, append(arguments, object.Address, object.ID)...); err != nil {
			return nil, err
		}
	}
	file := c.folder.File("again of " + filepath.Base(c.folder.Dir))
	planned, err := c.terraform(ctx, c.folder.Planning(file, "-json")...)
	if err != nil || !planned.succeeded {
		return planned, err
	}
	if planned.changes == 0 {
		planned.done, planned.changed = true, false
		return planned, nil
	}
	if !c.first.Covers(planned.events) {
		if _, err := c.folder.Check(ctx, file); err != nil {
			return nil, err
		}
	}
	applied, err := c.apply(ctx, file)
	if err == nil {
		applied.said = planned.said
	}
	return applied, err
}

// terraform runs Terraform.
func (c *configuration) terraform(ctx context.Context, arguments ...string) (*ran, error) {
	out, messages, succeeded, err := c.execute(ctx, c.folder.Command(ctx, arguments...))
	if err != nil {
		return nil, err
	}
	r := &ran{succeeded: succeeded, changed: true, changes: -1, events: copy.ParseEvents(out)}
	for _, e := range r.events {
		switch {
		case e.Type == "planned_change": // no drift: the URIs of a copy differ
			r.said = append(r.said, e.Change.Resource.Addr)
		case copy.Failure(e) != "":
			r.errors = append(r.errors, Message{Address: e.Diagnostic.Address, Text: e.Diagnostic.Summary + "\n" + e.Diagnostic.Detail})
		case e.Type == "change_summary" && e.Changes.Operation == "plan":
			r.changes = e.Changes.Add + e.Changes.Change + e.Changes.Import + e.Changes.Remove
		}
	}
	r.failure = problem.Escape(copy.Failure(r.events...))
	if !r.succeeded && r.failure == "" {
		r.failure = problem.Escape(strings.TrimSpace(string(messages)))
	}
	return r, nil
}

func (c *configuration) look() (*look, error) {
	account, err := c.account()
	if err != nil {
		return nil, err
	}
	state, err := c.folder.State()
	if err != nil {
		return nil, err
	}
	held, err := ParseState(state)
	return &look{account: account, held: held}, err
}
