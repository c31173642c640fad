package attribute

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// AnyID validates the form of an id.
var AnyID = Check("an ID", checkID)

// checkID returns an error if text cannot be an id, because it is empty or a
// part of a path, or contains a slash or white space.
func checkID(text string) error {
	switch {
	case text == "":
		return errors.New("must be an ID; found an empty string")
	case quotedReference.MatchString(text):
		return fmt.Errorf("must be an ID; found a reference in quotation marks: %s. Remove them, so that Terraform reads the value",
			quote.Value(text))
	case strings.HasPrefix(text, "ssh-") || strings.HasPrefix(text, "ecdsa-sha2-"):
		return errors.New("must be an ID; found an SSH public key. Set the attribute id of the object instead of its key")
	case strings.Contains(text, "://"):
		return fmt.Errorf("must be an ID; found a URL: %s. Set the ID of the object, which is the last part of its URI", quote.Value(text))
	case strings.Contains(text, "/"):
		return fmt.Errorf("must be an ID; found a slash: %s. Set only the ID of one object", quote.Value(text))
	case text == "." || text == "..":
		return fmt.Errorf("must be an ID; found %s", quote.Value(text))
	case strings.Contains(text, ","):
		return fmt.Errorf("must be one ID; found a comma: %s%s", quote.Value(text), splitCommas)
	case strings.ContainsFunc(text, isBlank):
		return fmt.Errorf("must be an ID; found white space: %s", quote.Value(text))
	}
	return nil
}

// quotedReference matches the address of a value, such as tunnel_ip_policy.office.id.
var quotedReference = regexp.MustCompile(`^((data\.)?tunnel_[a-z_]+\.[\w-]+(\[[^]]*\])?\.\w+|(var|local|module|each|ephemeral)\.[\w.-]+)$`)

// NoName warns about an ID that is an e-mail address or a host name. The contract does
// not state the form of an ID.
var NoName = misspelled("Unusual ID", "an ID and not a name", checkNoName)

func checkNoName(text string) error {
	if name, domain, found := strings.Cut(text, "@"); found && name != "" && isDomain(domain) {
		return fmt.Errorf("is an e-mail address: %s. Expected an ID", quote.Value(text))
	}
	if _, last, found := cutLast(text, "."); found && topLevel.MatchString(last) && isDomain(text) {
		return fmt.Errorf("is a host name: %s. Expected an ID", quote.Value(text))
	}
	return nil
}

var topLevel = regexp.MustCompile(`^[A-Za-z]{2,}$`)

// splitCommas says what to do about a comma in an element of a list.
const splitCommas = `. Write each value as a separate element, such as ["a", "b"]`

func isBlank(r rune) bool { return r <= ' ' || r == '\u00a0' || r == '\ufeff' }
