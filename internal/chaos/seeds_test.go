package chaos

import (
	"flag"
	"fmt"
	"strings"
	"testing"
)

var (
	oneSeed   = flag.Uint64("seed", 0, "run random tests with this seed only; 0 takes a few")
	moreSeeds = flag.Uint64("seeds", 0, "run random tests with this number of seeds; 0 takes a few")
)

// eachSeed runs a random test in parallel for the seeds from 1 on: a few, or as
// many as in a long run. A failure prints the command that repeats it.
func eachSeed(t *testing.T, few, inSoak uint64, test func(t *testing.T, seed uint64)) {
	t.Helper()
	first, count := uint64(1), few
	switch {
	case *oneSeed != 0:
		first, count = *oneSeed, 1
	case *moreSeeds != 0:
		count = *moreSeeds
	case *soak:
		count = inSoak
	}
	var terraform, waits string
	if strings.HasPrefix(t.Name(), "TestAcc") {
		terraform = "TF_ACC=1 "
	}
	if *soak {
		waits = " -soak"
	}
	repeat := fmt.Sprintf("%sgo test ./internal/chaos -count=1 -v -run '^%s$'%s -seed", terraform, t.Name(), waits)
	for seed := first; seed < first+count; seed++ {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("to repeat it: %s=%d", repeat, seed)
				}
			})
			test(t, seed)
		})
	}
}
