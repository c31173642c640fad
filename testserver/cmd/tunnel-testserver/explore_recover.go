package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

// interrupted applies the plan with an interruption, and looks at what follows: applying
// again, and the same after the imports that errors advise.
func (w *worker) interrupted(ctx context.Context, x *explorer, target explore.Interruption) (*explore.Found, error) {
	if err := w.restore(); err != nil {
		return nil, err
	}
	if target.Kind == explore.LostUnlisted {
		w.stage.server.SetFaults(testserver.Fault{Kind: testserver.FaultLagList, Delay: listLag})
	}
	names := x.script.Names()
	w.stage.begin(names, &target)
	first, err := w.apply(ctx, planFile)
	if err != nil {
		return nil, err
	}
	w.stage.server.SetFaults()
	found := &explore.Found{Interruption: target, Reached: w.stage.end(), Succeeded: first.succeeded}
	if !found.Reached {
		return found, nil
	}
	if found.TornState, err = w.restoreBackup(); err != nil {
		return nil, err
	}
	between, err := w.look()
	if err != nil {
		return nil, err
	}
	found.Missing = x.judge.Missing(between.account, names.Of)
	unplanned := x.judge.Unplanned(between.account)
	_ = w.snapshot(http.MethodDelete, "between") // of the interruption before
	if err := w.snapshot(http.MethodPost, "between"); err != nil {
		return nil, err
	}
	advised := false
	found.Naive, advised, err = w.goOn(ctx, x, names, first, false)
	if err != nil {
		return nil, err
	}
	found.Naive.Unplanned = merged(unplanned, found.Naive.Unplanned)
	if !advised || found.Class() == explore.Again || found.Class() == explore.Harmless {
		return found, nil
	}
	if err := w.snapshot(http.MethodPost, "between/restore"); err != nil {
		return nil, err
	}
	if err := w.space.restoreState(between.state); err != nil {
		return nil, err
	}
	found.Advised, _, err = w.goOn(ctx, x, names, first, true)
	return found, err
}

// restoreBackup does what the guide says about a state of 0 bytes: it copies the backup
// over it. It does so for half a state too.
func (w *worker) restoreBackup() (bool, error) {
	name := filepath.Join(w.space.dir, stateFile)
	state, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) || err == nil && json.Valid(state) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	backup, err := os.ReadFile(filepath.Join(w.space.dir, backupFile))
	if err != nil { // the first apply has none
		return true, os.Remove(name)
	}
	return true, os.WriteFile(name, backup, 0o600)
}

// listLag is longer than the provider waits for an object in a list.
const listLag = 10 * time.Second

const (
	maxApplies = 3  // that do something
	maxRounds  = 10 // of imports and an apply
)

// goOn applies again until the plan is empty. If advised, it runs the imports that
// errors advise before each apply, as long as there are new ones. It reports whether
// there was such advice.
func (w *worker) goOn(ctx context.Context, x *explorer, names *explore.Names, first *ran, advised bool) (
	recovery *explore.Recovery, advice bool, err error,
) {
	recovery = &explore.Recovery{}
	told, last := first.told, first
	for applies := 0; applies <= maxApplies && recovery.Applies < maxRounds; applies++ {
		if err := w.minuteLater(); err != nil {
			return nil, false, err
		}
		imports := explore.Imports(last.told.Errors)
		advice = advice || len(imports) > 0
		for _, object := range imports {
			if !advised || slices.Contains(recovery.Imports, object) {
				continue
			}
			recovery.Imports = append(recovery.Imports, object)
			if _, err := w.importObject(ctx, object); err != nil {
				return nil, false, err
			}
			applies = 0
		}
		if last, err = w.applyAgain(ctx); err != nil {
			return nil, false, err
		}
		told.Errors = append(told.Errors, last.told.Errors...)
		told.Progress = append(told.Progress, last.told.Progress...)
		recovery.Failure = last.failure
		if recovery.Converged = last.succeeded && last.changes == 0; recovery.Converged {
			break
		}
		recovery.Applies++
	}
	now, err := w.look()
	if err != nil {
		return nil, false, err
	}
	recovery.Left = x.judge.Left(now.account, now.held, names.Of, told)
	recovery.Unplanned = x.judge.Unplanned(now.account)
	return recovery, advice, nil
}

// merged returns the texts of both lists, each once.
func merged(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
