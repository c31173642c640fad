package attribute

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// IPRange is an IP address or a range of addresses in CIDR notation. Two ranges are the
// same if they contain the same addresses.
type IPRange = Value[ipRange]

// IPRangeType is the type of IPRange.
type IPRangeType = Type[ipRange]

// IPRangeForm are the validators of a range: its form, which the API documentation does
// not state, and whether it is written as most services store it.
var IPRangeForm = []validator.String{
	Limit("an IP range", ipRange{}.Check),
	Unusual("the first address of the range", func(text string) error {
		if reason := policy.UnusualRange(text); reason != "" {
			return errors.New(reason)
		}
		return nil
	}),
}

type ipRange struct{}

func (ipRange) Name() string { return "IP range" }

func (ipRange) Check(text string) error {
	if text != strings.TrimSpace(text) {
		return fmt.Errorf("must not begin or end with white space; found %s. Remove it with trimspace(...)", quote.Value(text))
	}
	_, err := policy.ParseRange(text)
	return err
}

func (ipRange) Same(a, b string) bool {
	first, err := policy.ParseRange(a)
	second, otherErr := policy.ParseRange(b)
	return err == nil && otherErr == nil && first == second
}
