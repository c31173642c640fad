package gate

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// longestRetryAfter is the maximum wait that a Retry-After can cause.
const longestRetryAfter = 24 * time.Hour

// RetryAfter returns the wait that a Retry-After header requests: a number of
// seconds, or a date by the clock of the response. text is the header for an
// error message. It returns 0 if the header gives no time in the future.
func RetryAfter(resp *http.Response) (wait time.Duration, text string) {
	header := resp.Header.Get("Retry-After")
	if at, err := http.ParseTime(header); err == nil {
		wait = at.Sub(DateOf(resp))
	} else if seconds, err := strconv.ParseUint(header, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(min(seconds, uint64(2*longestRetryAfter/time.Second))) * time.Second
	}
	switch {
	case wait <= 0:
		return 0, ""
	case wait > longestRetryAfter:
		return longestRetryAfter, fmt.Sprintf("%.40s, limited by the provider to %s", header, longestRetryAfter)
	}
	return wait, header
}

// TooLong returns why a request does not wait: a Retry-After that is beyond its deadline.
func TooLong(wait time.Duration, header string, deadline time.Time) string {
	return fmt.Sprintf("the service requires a wait of %s (Retry-After: %s), but only %s are left",
		rounded(wait), header, rounded(time.Until(deadline)))
}

// DateOf returns the date of a response, or the local time if it has none.
func DateOf(resp *http.Response) time.Time {
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		return date
	}
	return time.Now()
}
