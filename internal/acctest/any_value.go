package acctest

import (
	"fmt"
	"math/rand/v2"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// AnyValue returns a value of a type. Of 20 values, 2 are null and the given number are
// unknown.
func AnyValue(random *rand.Rand, of tftypes.Type, unknowns int) tftypes.Value {
	switch n := random.IntN(20); {
	case n < 2:
		return tftypes.NewValue(of, nil)
	case n < 2+unknowns:
		return tftypes.NewValue(of, tftypes.UnknownValue)
	}
	elements := func(of tftypes.Type) []tftypes.Value {
		all := make([]tftypes.Value, random.IntN(4))
		for i := range all {
			all[i] = AnyValue(random, of, unknowns)
		}
		return all
	}
	switch of := of.(type) {
	case tftypes.Object:
		attributes := map[string]tftypes.Value{}
		for name, attribute := range of.AttributeTypes {
			attributes[name] = AnyValue(random, attribute, unknowns)
		}
		return tftypes.NewValue(of, attributes)
	case tftypes.List:
		return tftypes.NewValue(of, elements(of.ElementType))
	case tftypes.Map:
		byKey := map[string]tftypes.Value{}
		for i, element := range elements(of.ElementType) {
			byKey[fmt.Sprint(i)] = element
		}
		return tftypes.NewValue(of, byKey)
	}
	switch {
	case of.Is(tftypes.Bool):
		return tftypes.NewValue(of, random.IntN(2) == 0)
	case of.Is(tftypes.Number):
		return tftypes.NewValue(of, random.IntN(5))
	}
	return tftypes.NewValue(of, []string{"", "a", `{"a":1}`, "2027-01-31T08:15:30Z"}[random.IntN(4)])
}
