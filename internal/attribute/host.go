package attribute

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

const (
	longestDomain = 253 // bytes
	longestLabel  = 63
)

var (
	noDomainCharacter = regexp.MustCompile(`[^A-Za-z0-9.-]`)

	domainLabel = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)
	// A principal may look like a pattern with * and ?, and host names in private
	// networks can contain underscores.
	principalLabel = regexp.MustCompile(`^[A-Za-z0-9_*?]([A-Za-z0-9_*?-]{0,61}[A-Za-z0-9_*?])?$`)
	digits         = regexp.MustCompile(`^[0-9]+$`)
)

// A nameRule returns an error if a text is not a name. The error says why, and
// does not repeat the text.
type nameRule func(name string) error

// hostText returns an error if a text cannot be a host name: it is empty, has an
// empty label, or a character with another meaning. See domainName.
func hostText(name string) error {
	switch at := strings.IndexFunc(name, isNoHostCharacter); {
	case name == "":
		return errors.New("the domain is missing")
	case at >= 0 && isBlank(rune(name[at])):
		return errors.New("it contains white space. Remove it")
	case at >= 0:
		return notAllowed(name[at:])
	case strings.HasPrefix(name, "."):
		return errors.New("the domain must not begin with a dot")
	case strings.HasSuffix(name, "."):
		return errors.New("remove the dot at the end")
	case strings.Contains(name, ".."):
		return errors.New("the domain has two dots in a row")
	}
	return nil
}

func isNoHostCharacter(r rune) bool { return isBlank(r) || strings.ContainsRune("/\\*?:@=,[]", r) }

// notAllowed returns the error for the first character of a text.
func notAllowed(text string) error {
	for _, r := range text {
		return fmt.Errorf("a domain must not contain %s; expected letters, digits, hyphens and dots", strconv.QuoteRune(r))
	}
	return nil
}

// domainName returns an error if a text is neither a domain name of letters,
// digits and hyphens nor an IPv4 address. Letters can be international; see ASCII.
func domainName(name string) error {
	if err := hostText(name); err != nil || labels(name, domainLabel) {
		return err
	}
	if !isASCII(name) {
		if name = asciiHost(name); !isASCII(name) {
			return errors.New("it is not a valid internationalized name. Check the characters, or write it in punycode (xn--...)")
		}
		return domainName(name)
	}
	if at := noDomainCharacter.FindStringIndex(name); at != nil {
		return notAllowed(name[at[0]:])
	}
	for label := range strings.SplitSeq(name, ".") {
		if len(label) > longestLabel {
			return fmt.Errorf("a part of a domain between two dots must have at most %d characters; found %d", longestLabel, len(label))
		}
	}
	if len(name) > longestDomain {
		return fmt.Errorf("a domain must have at most %d characters; found %d", longestDomain, len(name))
	}
	return errors.New("a part of a domain between two dots must not begin or end with a hyphen")
}

func isDomain(name string) bool { return domainName(name) == nil }

func labels(name string, form *regexp.Regexp) bool {
	for label := range strings.SplitSeq(name, ".") {
		if !form.MatchString(label) {
			return false
		}
	}
	return len(name) <= longestDomain
}

// Principal are the validators of a principal. An empty one is an error, and one that
// matches no host in ssh causes a warning.
var Principal = []validator.String{
	NotEmpty,
	Unusual("a hostname in lower case or an IP address, without wildcards", func(text string) error {
		if text == "" {
			return nil
		}
		return CheckPrincipal(text)
	}),
}

const principalForm = `must be a hostname such as bastion.example.com, or an IP address such as 192.0.2.10 or 2001:db8::1`

// CheckPrincipal returns an error if text is neither a host name nor an IP
// address, or if ssh matches it with no host: OpenSSH compares it exactly with
// the name in lower case.
func CheckPrincipal(text string) error {
	if address, err := netip.ParseAddr(text); err == nil {
		if address.Zone() != "" {
			return fmt.Errorf("%s; found an IPv6 zone: %s", principalForm, quote.Value(text))
		}
		return nil
	}
	host, port, withPort := strings.Cut(text, ":")
	switch last := text[strings.LastIndex(text, ".")+1:]; {
	case text == "":
		return errors.New(principalForm + "; found an empty string")
	case strings.Contains(text, ","):
		return fmt.Errorf("%s; found a comma: %s%s", principalForm, quote.Value(text), splitCommas)
	case strings.Contains(text, "://"):
		return fmt.Errorf("%s; found a URL: %s", principalForm, quote.Value(text))
	case strings.HasPrefix(text, "["), withPort && digits.MatchString(port) && labels(host, principalLabel):
		return fmt.Errorf("%s; found a port or brackets: %s", principalForm, quote.Value(text))
	case strings.Contains(text, "/"):
		return fmt.Errorf("%s; found a CIDR range: %s", principalForm, quote.Value(text))
	case !labels(text, principalLabel) || digits.MatchString(last):
		return fmt.Errorf("%s; found %s", principalForm, quote.Value(text))
	case strings.ContainsAny(text, "*?"):
		return fmt.Errorf(
			"%s; found a wildcard: %s. OpenSSH does not match wildcards: set each hostname, or no principals for all hosts", principalForm,
			quote.Value(text),
		)
	case strings.ToLower(text) != text:
		return fmt.Errorf(
			"%s; found upper case: %s. ssh asks for hostnames in lower case: use %s", principalForm, quote.Value(text),
			quote.Value(strings.ToLower(text)),
		)
	}
	return nil
}
