package attribute

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

const longestDomain = 253 // bytes

var (
	domainLabel = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)
	// A principal may look like a pattern with * and ?, and host names in private
	// networks can contain underscores.
	principalLabel = regexp.MustCompile(`^[A-Za-z0-9_*?]([A-Za-z0-9_*?-]{0,61}[A-Za-z0-9_*?])?$`)
	digits         = regexp.MustCompile(`^[0-9]+$`)
)

// isHostText reports whether a text may be a host name: it is not empty, has no
// empty labels, and no characters with another meaning. See isDomain.
func isHostText(name string) bool {
	return name != "" && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".") && !strings.Contains(name, "..") &&
		!strings.ContainsAny(name, "/\\*?:@=,[]") && !strings.ContainsFunc(name, isBlank)
}

// isDomain reports whether a text is a domain name of letters, digits and
// hyphens, or an IPv4 address.
func isDomain(name string) bool { return labels(name, domainLabel) }

func labels(name string, form *regexp.Regexp) bool {
	for label := range strings.SplitSeq(name, ".") {
		if !form.MatchString(label) {
			return false
		}
	}
	return len(name) <= longestDomain
}

// Principal warns about a principal that matches no host in ssh.
var Principal = Unusual("a hostname in lower case or an IP address, without wildcards", CheckPrincipal)

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
