package provider

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// headerName validates the name of a header for all requests.
var headerName = attribute.Check("a header name", func(name string) error {
	if api.ReservedHeader(name) {
		return errors.New("cannot be set: HTTP or the provider sets it")
	}
	return attribute.CheckHeaderName(name)
})

var headerValue = attribute.Check("a header value", headerText)

// headerText returns an error if text is not a valid header value. The error
// does not repeat the text, which may be secret.
func headerText(text string) error {
	if text == "" || !httpguts.ValidHeaderFieldValue(text) || text[len(text)-1] == ' ' || text[0] == ' ' {
		return errors.New("is not a valid HTTP header value: it is empty, or contains a line end, another control character, or a space at its beginning or end")
	}
	return nil
}

var duration = attribute.Check("a duration above zero, such as 45s", func(text string) error {
	if d, err := time.ParseDuration(text); err != nil || d <= 0 {
		return fmt.Errorf("must be a duration above zero, such as 45s or 2m, found %q", text)
	}
	return nil
})
