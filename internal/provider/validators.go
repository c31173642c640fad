package provider

import (
	"errors"

	"golang.org/x/net/http/httpguts"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// headerName validates the name of a header for all requests.
var headerName = attribute.Check("a header name", func(name string) error {
	if api.ReservedHeader(name) {
		return errors.New("is reserved, because the provider or the HTTP client sets it. Remove it; to set the API key, use api_key")
	}
	return attribute.CheckHeaderName(name)
})

var headerValue = attribute.Check("a header value", headerText)

// headerText returns an error if text is not a valid header value. The error
// does not repeat the text, which may be secret.
func headerText(text string) error {
	if text == "" || !httpguts.ValidHeaderFieldValue(text) || text[len(text)-1] == ' ' || text[0] == ' ' {
		return errors.New(
			"is not a valid HTTP header value: it must not be empty, contain control characters (such as a newline, or the carriage return " +
				"of a Windows file), or begin or end with a space",
		)
	}
	return nil
}
