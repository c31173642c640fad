package explore

import "testing"

// TestOnly_names selects by names: a kind without a request is none, and a name that
// nothing has is an error.
func TestOnly_names(t *testing.T) {
	t.Parallel()
	all := Plan([]Request{{Method: "GET", Path: "/edges/tls"}}, Kinds) // nothing is lost with the response to a read
	for name, want := range map[string]int{"500": 1, string(Lost): 0, "GET /edges/tls": 5, "GET /edges/tls:kill": 1, "kill-all": -1} {
		chosen, err := Only(all, []string{name}, Kinds)
		if (err != nil) != (want < 0) || err == nil && len(chosen) != want {
			t.Errorf("%s: %v, %v, want %d", name, chosen, err, want)
		}
	}
}
