package variation

import "testing"

func TestNormalizer_seeds(t *testing.T) {
	t.Parallel()
	all, used := len(Names()), map[string]bool{}
	for seed := range uint64(30) {
		rules := Draw(seed).Names()
		if len(rules) == 0 || len(rules) > all*2/3 {
			t.Errorf("seed %d selects %d rules", seed, len(rules))
		}
		for _, rule := range rules {
			used[rule] = true
		}
	}
	if len(used) != all {
		t.Errorf("all seeds select %d rules, want %d", len(used), all)
	}
}
