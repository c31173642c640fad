package docs

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// TestRotationGuide_warningTimes compares the table of the guide with the rule, at
// both sides of each limit.
func TestRotationGuide_warningTimes(t *testing.T) {
	t.Parallel()
	days := func(text string) time.Duration {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return time.Duration(n) * 24 * time.Hour
	}
	rows := regexp.MustCompile(`(?m)^\| (\d+) days \| (\d+) days before the end \| (\d+) days \|`).FindAllStringSubmatch(
		readFile(t, "../../docs/guides/rotating-certificates.md"), -1)
	if len(rows) < 5 {
		t.Fatalf("the guide has the rows %q", rows)
	}
	for _, row := range rows {
		lifetime, before, age := days(row[1]), days(row[2]), days(row[3])
		begin := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		soon := func(age time.Duration) bool {
			return attribute.EndsSoon(720*time.Hour, begin, begin.Add(lifetime), begin.Add(age))
		}
		if !soon(lifetime-before) || soon(lifetime-before-24*time.Hour) || soon(age-time.Second) || !soon(age+24*time.Hour) {
			t.Errorf("the rule differs from %q", row[0])
		}
	}
}
