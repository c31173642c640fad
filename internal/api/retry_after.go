package api

import (
	"net/http"
	"strconv"
	"time"
)

// longestRetryAfter is the maximum wait that a Retry-After can cause.
const longestRetryAfter = 24 * time.Hour

// retryAfter returns the wait that a Retry-After header requests: a number of
// seconds, or a date by the clock of the response. It returns 0 if the header
// gives no time in the future.
func retryAfter(resp *http.Response) time.Duration {
	header := resp.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(seconds, 0), int(longestRetryAfter/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(at.Sub(dateOf(resp)), 0), longestRetryAfter)
	}
	return 0
}
