package attribute

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// Domain is a domain that can begin with the wildcard *. for one label. Two
// domains are the same if they differ only in case, in a dot at the end, or in
// the notation of international characters.
type Domain = Value[domain]

// DomainType is the type of Domain.
type DomainType = Type[domain]

// DomainName are the validators of a domain: its form, and the characters of
// its labels, which the API documentation does not state.
var DomainName = []validator.String{
	DomainType{}.Valid(),
	Limit("a domain", func(text string) error {
		if (domain{}).Check(text) != nil {
			return nil // already reported by the validation of the configuration
		}
		return checkDomain(text, domainName)
	}),
	misspelled("Unusual domain", "a domain with two labels or more", checkPublicDomain),
}

// checkPublicDomain returns an error if a domain is an IP address, or a name
// without a parent domain.
func checkPublicDomain(text string) error {
	name := strings.TrimSuffix(text, ".")
	if _, err := netip.ParseAddr(name); err == nil {
		return fmt.Errorf("is an IP address: %s. Expected a domain such as www.example.com", quote.Value(text))
	}
	if isDomain(name) && !strings.Contains(name, ".") {
		return fmt.Errorf("has one label: %s. Expected a domain such as www.example.com", quote.Value(text))
	}
	return nil
}

// Authority warns about a misspelled certificate authority.
var Authority = misspelled("Unusual certificate authority", "a certificate authority, such as letsencrypt", func(text string) error {
	if hint := didYouMean(text, "letsencrypt"); hint != "" && text != "letsencrypt" {
		return fmt.Errorf("is %s%s", quote.Value(text), hint)
	}
	return nil
})

type domain struct{}

func (domain) Name() string { return "domain" }

func (domain) Check(text string) error { return checkDomain(text, hostText) }

func (domain) Same(a, b string) bool { return SameDomain(a, b) }

// Canonical returns a domain without the dot of the root.
func (domain) Canonical(text string) string { return strings.TrimSuffix(text, ".") }

// SameDomain reports whether two domains are the same.
func SameDomain(a, b string) bool {
	return sameHost(a) == sameHost(b)
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}

func checkDomain(text string, isName nameRule) error {
	reason, name := "", strings.TrimPrefix(text, "*.")
	switch {
	case strings.Contains(text, "://"):
		reason = fmt.Sprintf("a URL: %s. Remove the scheme and the path", quote.Value(text))
	case strings.Contains(text, ":"):
		reason = fmt.Sprintf("a port or an IPv6 address: %s. Set a port in the hostports of the edge", quote.Value(text))
	case text == "":
		reason = "an empty string"
	case strings.Contains(name, "*"):
		reason = quote.Value(text) + ": a wildcard must be the whole first label, before a domain"
	default:
		err := isName(name)
		if err == nil {
			return nil
		}
		reason = quote.Value(text) + ": " + err.Error()
	}
	return fmt.Errorf("must be a domain such as www.example.com or *.example.com; found %s", reason)
}
