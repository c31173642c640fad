package attribute_test

import (
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

func TestExpiry_warningFollowsLifetime(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	begin := time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct{ warning, lifetime, before time.Duration }{
		{30 * day, 6 * day, 3 * day},
		{30 * day, 10 * day, 5 * day},
		{30 * day, 10*day + 3*time.Second, 10*day/3 + time.Second},
		{30 * day, 45 * day, 15 * day},
		{30 * day, 64 * day, 64 * day / 3},
		{30 * day, 90 * day, 30 * day},
		{30 * day, 398 * day, 30 * day},
		{2 * day, 6 * day, 2 * day},
		{20 * day, 64 * day, 20 * day},
		{100 * day, 398 * day, 100 * day},
		{200 * day, 398 * day, 398 * day / 3},
		{30 * day, 0, 0},
		{30 * day, -day, 0},
	} {
		end := begin.Add(test.lifetime)
		for offset, want := range map[time.Duration]bool{-time.Second: false, 0: true, time.Second: true} {
			if got := attribute.EndsSoon(test.warning, begin, end, end.Add(offset-test.before)); got != want {
				t.Errorf("lifetime %s, warning %s: %s at %s before the end, want %t", test.lifetime, test.warning, offset, test.before, want)
			}
		}
		if !attribute.EndsSoon(test.warning, begin, end, end.Add(1000*day)) || attribute.EndsSoon(0, begin, end, end.Add(1000*day)) {
			t.Errorf("lifetime %s: an expired certificate does not warn, or one without a warning time does", test.lifetime)
		}
	}
}

func TestExpiry_ends(t *testing.T) {
	t.Parallel()
	end := time.Date(2027, 2, 1, 1, 0, 0, 0, time.FixedZone("", 3600))
	for passed, want := range map[time.Duration]string{
		-time.Second: "expires on 2027-02-01T00:00:00Z", 0: "expires on 2027-02-01T00:00:00Z", time.Second: "expired on 2027-02-01T00:00:00Z",
	} {
		if got := attribute.Ends(end, end.Add(passed)); got != want {
			t.Errorf("%s after the end: %q, want %q", passed, got, want)
		}
	}
}
