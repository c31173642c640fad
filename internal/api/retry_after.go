package api

import (
	"net/http"
	"strconv"
	"time"
)

// longestRetryAfter is the maximum wait that a Retry-After can cause.
const longestRetryAfter = 24 * time.Hour

// retryAfter parses a Retry-After header, which is a number of seconds or a
// date. It returns 0 if the header gives no time in the future.
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(seconds, 0), int(longestRetryAfter/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(time.Until(at), 0), longestRetryAfter)
	}
	return 0
}
