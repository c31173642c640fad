package attribute

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// idPrefixes maps the prefixes of ids in the API documentation to the kinds of
// objects.
var idPrefixes = map[string]string{
	"shcrt_":    "an SSH host certificate",
	"sshca_":    "an SSH certificate authority",
	"sshcr_":    "an SSH credential",
	"usr_":      "a user",
	"bot_":      "a bot",
	"cert_":     "a TLS certificate",
	"bkdfo_":    "a failover backend",
	"bkdhr_":    "an HTTP response backend",
	"bkdtg_":    "a tunnel group backend",
	"edgtls_":   "a TLS edge",
	"edgtcp_":   "a TCP edge",
	"edghts_":   "an HTTPS edge",
	"edghtsrt_": "an HTTPS edge route",
	"esb_":      "an event subscription",
	"ed_":       "an event destination",
	"rd_":       "a reserved domain",
	"ra_":       "a reserved address",
}

// BackendPrefixes are the prefixes of the ids of backends.
var BackendPrefixes = []string{"bkdfo_", "bkdtg_", "bkdhr_"}

// IDPrefix returns the prefix of an id, including its underscore.
func IDPrefix(id string) string {
	name, _, _ := strings.Cut(id, "_")
	return name + "_"
}

// KindOfID returns the kind of object that an id seems to belong to, by its
// prefix, such as "a TLS edge". It returns "" for other prefixes. Ids are
// opaque: use the result in messages only.
func KindOfID(id string) (prefix, kind string) {
	prefix = IDPrefix(id)
	return prefix, idPrefixes[prefix]
}

// AnyID validates the form of an id.
var AnyID = Check("an ID", CheckID)

// ID returns the validators of an id: one for its form, and one that warns if
// it has a prefix of another kind of object than the given ones.
func ID(prefixes ...string) []validator.String {
	return []validator.String{
		AnyID,
		Unusual("an ID of the right kind", func(text string) error { return CheckIDPrefix(text, prefixes...) }),
	}
}

// CheckID returns an error if text cannot be an id, because it is empty or
// contains a slash or white space.
func CheckID(text string) error {
	switch {
	case text == "":
		return errors.New("must be an ID; found an empty string")
	case strings.Contains(text, "://"):
		_, last, _ := cutLast(text, "/")
		if _, kind := KindOfID(last); kind != "" {
			return fmt.Errorf("must be an ID; found a URI: %s. Use its last part", quote.Value(text))
		}
		return fmt.Errorf("must be an ID; found a URL: %s. Set the ID of the object instead of a URL", quote.Value(text))
	case strings.Contains(text, "/"):
		return fmt.Errorf("must be an ID; found a slash: %s", quote.Value(text))
	case strings.Contains(text, ","):
		return fmt.Errorf("must be one ID; found a comma: %s%s", quote.Value(text), splitCommas)
	case strings.ContainsFunc(text, isBlank):
		return fmt.Errorf("must be an ID; found white space: %s", quote.Value(text))
	}
	return nil
}

// CheckIDPrefix returns an error if an id begins with the prefix of another
// kind of object than the expected ones.
func CheckIDPrefix(text string, expected ...string) error {
	prefix, kind := KindOfID(text)
	if kind == "" || slices.Contains(expected, prefix) {
		return nil
	}
	kinds := make([]string, len(expected))
	for i, prefix := range expected {
		kinds[i] = idPrefixes[prefix]
	}
	return fmt.Errorf("begins with %s, the prefix of %s; expected the ID of %s", prefix, kind, alternatives(kinds))
}

// splitCommas says what to do about a comma in an element of a list.
const splitCommas = `. Write each value as a separate element, such as ["a", "b"]`

func isBlank(r rune) bool { return r <= ' ' || r == '\u00a0' || r == '\ufeff' }
