package attribute

import "time"

// ExpiryHint ends a warning about a certificate that expires soon. It is empty in the
// last week, when nobody should postpone the warning.
func ExpiryHint(end, now time.Time) string {
	if EndsWithin(week, end, now) {
		return ""
	}
	return " To make this warning appear later, decrease expiry_warning_hours in the provider block."
}

// ExpiryRule says when EndsSoon begins, for descriptions.
const ExpiryRule = "at most a third of its lifetime, or half if it is valid for ten days or less"

const (
	week       = 7 * 24 * time.Hour
	shortLife  = 10 * 24 * time.Hour
	shortParts = 2
	parts      = 3
)

// EndsSoon reports whether plans warn about the end of a certificate: it is
// expired, or less than the warning time or its share of the lifetime is left. It
// is then late even for automation that renews after two thirds of a lifetime, or
// after half of a short one. A warning time of 0 disables the warnings.
func EndsSoon(warning time.Duration, begin, end, now time.Time) bool {
	lifetime := max(0, end.Sub(begin))
	share := lifetime / parts
	if lifetime <= shortLife {
		share = lifetime / shortParts
	}
	return warning > 0 && EndsWithin(min(warning, share), end, now)
}

// Ends says when a certificate expires or expired, such as "expires on
// 2027-01-31T08:15:30Z".
func Ends(end, now time.Time) string {
	if Expired(end, now) {
		return "expired on " + Date(end)
	}
	return "expires on " + Date(end)
}

// Date writes a time in messages: in RFC 3339 format, UTC, in whole seconds.
func Date(t time.Time) string { return t.UTC().Format(time.RFC3339) }
