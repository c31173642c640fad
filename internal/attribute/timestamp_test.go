package attribute_test

import (
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

func sameTime(a, b string) bool {
	return attribute.TimestampType{}.Of(a).Same(attribute.TimestampType{}.Of(b))
}

func TestTimestamp_sameByInstant(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"2027-01-31T08:15:30Z", "2027-01-31T08:15:30Z", true},
		{"2027-01-31T08:15:30Z", "2027-01-31T03:15:30-05:00", true},
		{"2027-01-31T08:15:30Z", "2027-02-01T08:15:30+24:00", false},
		{"2027-01-31T08:15:30Z", "2027-01-31T08:15:30+00:00", true},
		{"2027-01-31T08:15:30Z", "2027-01-31T08:15:30.000000Z", true},
		{"2027-01-31T08:15:30Z", "2027-01-31t08:15:30z", true},
		{"2027-01-31T08:15:30Z", "2027-01-31T08:15:30.5Z", false},
		{"2027-01-31T08:15:30Z", "2027-01-31T08:15:31Z", false},
		{"2027-01-31T08:15:30Z", "2027-01-31T08:15:30", false},
		{"no time", "no time", true},
		{"no time", "another", false},
	} {
		if sameTime(test.a, test.b) != test.same || sameTime(test.b, test.a) != test.same {
			t.Errorf("%s and %s: same is not %v", test.a, test.b, test.same)
		}
	}
}

func TestTimestamp_refused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "tomorrow", "2027-01-31", "2027-01-31T08:15:30", "2027-01-31 08:15:30Z", "2027-01-31T8:15:30Z", "2027-01-31T8:15",
		"2027-01-31T08:15:30,5Z", "2027-01-31t08:15:30,5z", "2027-01-31T08:15:30.Z", "2027-02-30T08:15:30Z", "2027-01-31T08:15:30+25:00", "1801383330",
	} {
		if _, err := attribute.ParseTime(text); err == nil {
			t.Errorf("%q is taken", text)
		} else {
			expectError(t, err, "such as 2027-01-31T08:15:30Z")
		}
	}
}

func TestTimestamp_sshCertificate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2027-01-31T08:15:30Z":      "",
		"2027-01-31T08:15:30.000Z":  "",
		"2027-01-31T08:15:30.001Z":  "must not have fractional seconds",
		"1970-01-01T00:00:00Z":      "",
		"1970-01-01T00:00:00+01:00": "must not be before 1970",
		"9999-12-31t23:59:59z":      "",
		"9999-12-31T23:59:59+10:00": "",
		"9999-12-31T23:59:59-10:00": "must not be after the year 9999",
	} {
		expectError(t, attribute.CheckSSHTime(text), want)
	}
}

func TestTimestamp_periodsAndWindows(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 1, 31, 8, 15, 30, 0, time.UTC)
	expectError(t, attribute.CheckPeriod(now, now.Add(time.Second)), "")
	expectError(t, attribute.CheckPeriod(now, now), "must be after the beginning of the validity period")
	expectError(t, attribute.CheckPeriod(now, now.Add(-time.Hour)), "must be after the beginning of the validity period (2027-01-31T08:15:30Z); found 2027-01-31T07:15:30Z")

	for _, test := range []struct {
		left          time.Duration
		ended, within bool
	}{
		{25 * time.Hour, false, false}, {24 * time.Hour, false, true}, {time.Hour, false, true}, {0, false, true}, {-time.Second, true, true},
	} {
		if end := now.Add(test.left); attribute.Expired(end, now) != test.ended || attribute.EndsWithin(24*time.Hour, end, now) != test.within {
			t.Errorf("%s left: ended is not %v, or within a day is not %v", test.left, test.ended, test.within)
		}
	}
	if longest, known := attribute.Hours(types.Int64Value(attribute.MostHours)); !known || longest <= 0 {
		t.Errorf("the most hours that can be given are %s", longest)
	}
	if _, known := attribute.Hours(types.Int64Null()); known {
		t.Error("null hours are known")
	}
}
