package attribute

import "github.com/tunnel-service/terraform-provider-tunnel/internal/quote"

// Quote returns a value of a user in quotation marks for a message, as
// quote.Value does.
func Quote(text string) string { return quote.Value(text) }
