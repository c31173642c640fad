package explore

// JSON returns a report for programs.
func (r *Report) JSON() map[string]any {
	classes, all := map[Class]int{}, []map[string]any{}
	for _, f := range r.Found {
		classes[f.Class()]++
		best := &Recovery{}
		if f.Naive != nil {
			best = f.best()
		}
		one := map[string]any{
			"request": f.At.String(), "interruption": f.Kind, "class": f.Class(), "resources": f.Resources(), "torn_state": f.TornState,
			"applies": best.Applies, // until the plan was empty
			"imports": append([]Import{}, best.Imports...), "left": append([]Object{}, best.Left...),
			"unplanned": append([]string{}, best.Unplanned...), "missing": append([]string{}, f.Missing...), "repeat": r.Repeat(f.Interruption),
		}
		if best.Failure != "" {
			one["failure"] = best.Failure
		}
		all = append(all, one)
	}
	return map[string]any{
		"command": r.Command, "changes": r.Changes, "requests": r.Requests, "total": r.Total, "seconds": r.Duration.Seconds(),
		"classes": classes, "interruptions": all,
	}
}
