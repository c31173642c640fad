package conformance

import (
	"context"
	"fmt"
	"slices"
)

// maxRounds is how often Clean tries, because an object in use cannot be deleted.
const maxRounds = 4

// Clean deletes all objects that the run has made. It returns an error that names
// those that are left.
func (run *Run) Clean(ctx context.Context) error {
	run.ctx, run.cleaning = ctx, true
	defer func() { run.cleaning = false }()
	for range maxRounds {
		for _, path := range slices.Backward(slices.Clone(run.made)) {
			if slices.Contains(run.made, path) {
				run.discard(path)
			}
		}
	}
	if len(run.made) > 0 {
		return fmt.Errorf("%s left: %v", plural(len(run.made), "object"), run.made)
	}
	return nil
}
