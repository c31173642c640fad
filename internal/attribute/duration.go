package attribute

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// Duration validates a duration in the notation of Go.
var Duration = Check("a duration, such as 45s", func(text string) error {
	if d, err := time.ParseDuration(text); err != nil || d <= 0 {
		return fmt.Errorf("must be a positive duration with a unit, such as 45s, 2m or 1h30m (units: s, m and h, without spaces); found %s",
			quote.Value(text))
	}
	return nil
})

// DurationOf returns a duration that Duration has checked, or the default if it is not
// set.
func DurationOf(text types.String, otherwise time.Duration) time.Duration {
	if d, err := time.ParseDuration(text.ValueString()); err == nil {
		return d
	}
	return otherwise
}
