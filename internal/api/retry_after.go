package api

import (
	"net/http"
	"strconv"
	"time"
)

// longestRetryAfter is the most that is believed of a service.
const longestRetryAfter = 24 * time.Hour

// retryAfter reads the header of that name: seconds, or a date. It is 0 where
// the service gives no time that lies ahead.
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(seconds, 0), int(longestRetryAfter/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(time.Until(at), 0), longestRetryAfter)
	}
	return 0
}
