package policy

import (
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// ParseRange parses an IP address, or a range of addresses in CIDR notation.
func ParseRange(text string) (netip.Prefix, error) {
	if prefix, err := netip.ParsePrefix(text); err == nil {
		return prefix.Masked(), nil
	}
	if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	return netip.Prefix{}, fmt.Errorf("must be an IP address or a range in CIDR notation, such as 192.0.2.0/24; found %s%s",
		quote.Value(text), rangeHint(text))
}

var (
	allAddresses = []string{"any", "all", "*", "0", "0/0", "anywhere", "internet"}
	leadingZero  = regexp.MustCompile(`^[0-9./]*\b0[0-9]+[0-9./]*$`)
)

// rangeHint says what to do about a range in a notation of other products.
func rangeHint(text string) string {
	address, after, _ := strings.Cut(text, "/")
	if mask, err := netip.ParseAddr(after); err == nil && mask.Is4() {
		if ones, bits := net.IPMask(mask.AsSlice()).Size(); bits > 0 {
			return fmt.Sprintf(". Write the mask as a number of bits: %s/%d", quote.Foreign(address), ones)
		}
	}
	first, _, between := strings.Cut(text, "-")
	_, err := netip.ParseAddr(strings.TrimSpace(first))
	switch {
	case slices.Contains(allAddresses, strings.ToLower(text)):
		return ". For all addresses, write 0.0.0.0/0 and ::/0"
	case between && err == nil:
		return ". Write a range from one address to another as ranges in CIDR notation"
	case leadingZero.MatchString(text):
		return ". Write the numbers without leading zeros"
	}
	return ""
}

// UnusualRange says what is unusual about a valid range. It returns "" if that is
// nothing.
func UnusualRange(text string) string {
	masked, err := ParseRange(text)
	if err != nil {
		return ""
	}
	if masked.IsSingleIP() && masked.Addr().IsUnspecified() {
		return fmt.Sprintf("is %s, a single address that no client has. For all addresses, write %s/0", text, masked.Addr())
	}
	if prefix, err := netip.ParsePrefix(text); err == nil && prefix != masked {
		return fmt.Sprintf("is %s, which is in the range %s. Write the range, or the single address %s", text, masked, prefix.Addr())
	}
	return ""
}
