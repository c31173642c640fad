package attribute

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/net/http/httpguts"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// HeaderName validates the name of an HTTP header.
var HeaderName = Limit("a header name", CheckHeaderName)

// CheckHeaderName returns an error if name is not a valid HTTP header name.
func CheckHeaderName(name string) error {
	if httpguts.ValidHeaderFieldName(name) {
		return nil
	}
	return fmt.Errorf("must be an HTTP header name (letters, digits and hyphens); found %s", quote.Value(name))
}

// ServedHeader warns about a header that the server of a response sets itself, or
// that only requests have.
var ServedHeader = misspelled("Unusual header", "a header of a response", func(name string) error {
	switch strings.ToLower(name) {
	case "content-length", "transfer-encoding":
		return fmt.Errorf("is the header %s, which follows from the response. Remove it", quote.Value(name))
	case "expect":
		return fmt.Errorf("is the header %s, which only requests have. Remove it", quote.Value(name))
	}
	return nil
})

// BodyText warns about the body of a response that is the name of a file.
var BodyText = misspelled("Unusual body", "the body of a response", func(text string) error {
	if fileName.MatchString(text) {
		return fmt.Errorf("is the name of a file: %s. To send the content of the file, use file(...)", quote.Value(text))
	}
	return nil
})

var fileName = regexp.MustCompile(`^[A-Za-z0-9_./~-]+\.(html?|json|txt|xml|md|css|js)$`)

// HeaderValue validates the value of an HTTP header.
var HeaderValue = Limit("a header value", checkHeaderValue)

// checkHeaderValue returns an error if value is not a valid HTTP header value.
func checkHeaderValue(value string) error {
	if httpguts.ValidHeaderFieldValue(value) {
		return nil
	}
	return errors.New("must not contain newlines or other control characters")
}

// DistinctHeaders validates a map of HTTP headers of an object: no two names may
// differ in case only.
var DistinctHeaders validator.Map = distinctHeaders{limit: true}

// DistinctSettings is like DistinctHeaders, for a map of the provider block.
var DistinctSettings validator.Map = distinctHeaders{}

type distinctHeaders struct{ limit bool } // see IsNew

func (distinctHeaders) Description(context.Context) string { return "each header once" }

func (v distinctHeaders) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v distinctHeaders) ValidateMap(ctx context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	if v.limit && !IsNew(ctx, req.Path, req.ConfigValue) {
		return
	}
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(req.ConfigValue.Elements())) {
		lower := strings.ToLower(name)
		if other, twice := seen[lower]; twice {
			resp.Diagnostics.AddAttributeError(
				req.Path,
				"Duplicate header",
				fmt.Sprintf(
					"%s must not contain duplicate headers: %s and %s are the same header, because header names are case-insensitive.", req.Path,
					quote.Value(other), quote.Value(name),
				),
			)
		}
		seen[lower] = name
	}
}

// sameHeaders reports whether two maps of HTTP headers have the same meaning.
// Names are case-insensitive.
func sameHeaders(a, b map[string]string) bool {
	return maps.Equal(lowerNames(a), lowerNames(b))
}

func lowerNames(headers map[string]string) map[string]string {
	lower := make(map[string]string, len(headers))
	for name, value := range headers {
		lower[strings.ToLower(name)] = value
	}
	return lower
}

// OptionalHeaders returns the state of optional headers for the service's
// response. It keeps the known spelling of the names. Names that are not known
// are in lower case.
func OptionalHeaders(known types.Map, answer map[string]string) types.Map {
	if IsKnown(known) && sameHeaders(StringMap(known), answer) {
		return known
	}
	headers := lowerNames(answer)
	for name := range StringMap(known) {
		lower := strings.ToLower(name)
		if value, ok := headers[lower]; ok && name != lower {
			delete(headers, lower)
			headers[name] = value
		}
	}
	return MapOf(headers)
}

// KeepSameHeaders returns a plan modifier that keeps the state's headers if the
// planned headers differ only in the case of their names.
func KeepSameHeaders() planmodifier.Map { return keepSameHeaders{} }

type keepSameHeaders struct{}

func (keepSameHeaders) Description(context.Context) string {
	return "Header names are case-insensitive."
}

func (m keepSameHeaders) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (keepSameHeaders) PlanModifyMap(_ context.Context, req planmodifier.MapRequest, resp *planmodifier.MapResponse) {
	for _, value := range req.PlanValue.Elements() {
		if !IsKnown(value) {
			return
		}
	}
	if IsKnown(req.PlanValue) && IsKnown(req.StateValue) && sameHeaders(StringMap(req.PlanValue), StringMap(req.StateValue)) {
		resp.PlanValue = req.StateValue
	}
}
