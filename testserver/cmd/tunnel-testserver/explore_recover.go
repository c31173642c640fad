package main

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
)

// interrupted runs the subject with an interruption, and looks at what follows: going
// on, and the same after the imports that errors advise.
func (w *worker) interrupted(ctx context.Context, x *explorer, target explore.Interruption) (*explore.Found, error) {
	if err := w.start(); err != nil {
		return nil, err
	}
	if target.Kind == explore.LostUnlisted {
		var rules []testserver.Rule // lists lag, and objects do not
		for _, names := range kinds.Collections() {
			rules = append(rules, testserver.Rule{Behavior: "lag=" + listLag.String(), Route: names.Path})
		}
		w.stage.server.SetRules(rules...)
	}
	names := x.script.Names()
	w.stage.begin(names, &target)
	first, err := w.run(ctx)
	if err != nil {
		return nil, err
	}
	w.stage.server.SetRules()
	found := &explore.Found{Interruption: target, Reached: w.stage.end(), Succeeded: first.succeeded, TornState: first.torn}
	if !found.Reached {
		return found, nil
	}
	between, err := w.look()
	if err != nil {
		return nil, err
	}
	found.Missing = x.judge.Missing(between.account, names.Of)
	unplanned := x.judge.Unplanned(between.account)
	_ = w.stage.snapshot(http.MethodDelete, "between") // of the interruption before
	if err := w.stage.snapshot(http.MethodPost, "between"); err != nil {
		return nil, err
	}
	advised := false
	found.Naive, advised, err = w.goOn(ctx, x, names, first, false)
	if err != nil {
		return nil, err
	}
	found.Naive.Unplanned = slices.Compact(slices.Sorted(slices.Values(slices.Concat(unplanned, found.Naive.Unplanned))))
	if !advised || found.Class() == explore.Again || found.Class() == explore.Harmless {
		return found, nil
	}
	if err := w.stage.snapshot(http.MethodPost, "between/restore"); err != nil {
		return nil, err
	}
	if err := w.restore(between.state); err != nil {
		return nil, err
	}
	found.Advised, _, err = w.goOn(ctx, x, names, first, true)
	return found, err
}

// listLag is longer than the provider waits for an object in a list.
const listLag = 10 * time.Second

// maxRounds is the maximum number of imports and runs.
const maxRounds = 10

// goOn goes on until nothing is left to do. If advised, it first runs the imports that
// errors advise, as long as there are new ones. It reports whether there was such advice.
func (w *worker) goOn(ctx context.Context, x *explorer, names *explore.Names, first *ran, advised bool) (
	recovery *explore.Recovery, advice bool, err error,
) {
	recovery = &explore.Recovery{}
	told, last := first.told, first
	for runs := 0; !last.done && runs < x.tries && recovery.Applies < maxRounds; runs++ {
		if err := w.stage.minuteLater(); err != nil {
			return nil, false, err
		}
		advice = advice || len(last.imports) > 0
		var imports []explore.Import
		if advised {
			imports = slices.DeleteFunc(slices.Clone(last.imports), func(i explore.Import) bool { return slices.Contains(recovery.Imports, i) })
		}
		if len(imports) > 0 {
			recovery.Imports = append(recovery.Imports, imports...)
			runs = 0
		}
		names.Again()
		if last, err = w.again(ctx, imports); err != nil {
			return nil, false, err
		}
		told.Errors = append(told.Errors, last.told.Errors...)
		told.Progress = append(told.Progress, last.told.Progress...)
		if last.changed {
			recovery.Applies++
		}
	}
	now, err := w.look()
	if err != nil {
		return nil, false, err
	}
	recovery.Converged, recovery.Failure = last.done && now.wrong == "", cmp.Or(last.failure, now.wrong)
	recovery.Left = x.judge.Left(now.account, now.held, names.Of, told)
	recovery.Unplanned = x.judge.Unplanned(now.account)
	return recovery, advice, nil
}
