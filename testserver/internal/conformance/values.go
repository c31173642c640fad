package conformance

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// The functions in this file generate valid values for request fields.

// newCertificate returns a certificate and its private key. It panics if cryptography
// fails, which it never does with these arguments.
func newCertificate() (certificate, key string) {
	content, private, err := keys.SelfSigned(&x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0), DNSNames: []string{"*.conformance.example.com"},
	})
	secret, invalid := x509.MarshalPKCS8PrivateKey(private)
	if err != nil || invalid != nil {
		panic(fmt.Sprintf("conformance: create a certificate: %v, %v", err, invalid))
	}
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: content})
	return string(chain), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

func (run *Run) next(format string) string {
	run.count++
	return fmt.Sprintf(format, run.count)
}

// field returns a valid value for a field. Some values depend on objects of the
// service, so they are chosen by field name.
func (run *Run) field(name string, s *shape) any {
	switch name {
	case "description", "metadata":
		return run.config.Mark
	case "public_key":
		return keys.PublicKeyFor(run.next("conformance %d ") + run.config.Mark)
	case "certificate_pem":
		run.chain, run.key = newCertificate() // some services refuse the same one twice
		return run.chain
	case "private_key_pem":
		return run.key
	case "domain":
		return run.next("d%d.") + run.config.Mark + ".example.com"
	case "target":
		if s.Fields["debug"] != nil { // of an event destination
			return map[string]any{"debug": map[string]any{"log": true}}
		}
	case "owner_id":
		return run.owner()
	case "match":
		return run.next("/conformance/%d")
	}
	if value, isFixed := fixed[name]; isFixed {
		return clone(value)
	} else if run.members[name].WriteOnly {
		return run.secret()
	}
	return run.value(s)
}

// fixed are values that need not be unique.
var fixed = map[string]any{
	"cidr": "192.0.2.0/24", "valid_after": "2026-01-01T00:00:00Z",
	"hostports": []any{"www.example.com:443"}, "acl": []any{"bind:www.example.com"}, "expressions": []any{"true"},
}

// secret returns the secret of event destinations. No other value contains it, so a
// response that does shows the secret.
func (run *Run) secret() string {
	return "secret-" + run.config.Mark
}

// value returns a valid non-empty value.
func (run *Run) value(s *shape) any {
	switch {
	case len(s.RefersTo) > 0:
		return run.shared(run.offered(s.RefersTo), 0)
	case s.allows("array") && len(s.Items.RefersTo) > 0:
		run.count++
		return []any{run.shared(run.offered(s.Items.RefersTo), run.count%2)} // two, so that a list can have two elements
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.allows("object") && s.Values != nil:
		return map[string]any{"key": run.value(s.Values)}
	case s.allows("object"):
		return run.object(s)
	case s.allows("array"):
		return []any{run.value(s.Items)}
	case s.allows("boolean"):
		return true
	case s.MultipleOf != nil:
		return *s.MultipleOf
	case s.allows("integer"):
		return *s.Minimum
	case s.Format == "date-time":
		return "2029-01-01T00:00:00Z"
	case s.Pattern != "":
		return run.matching(s.Pattern)
	}
	return run.config.Mark
}

// matching returns a text that matches the pattern.
func (run *Run) matching(pattern string) string {
	for _, format := range []string{"text%d", "conformance_%d.v0", "/conformance/%d", "arn:conformance:%d", "https://example.com/%d"} {
		if text := run.next(format); regexp.MustCompile(pattern).MatchString(text) {
			return text
		}
	}
	panic("no sample for the pattern " + pattern)
}

// object returns an object with all fields that can be set together.
func (run *Run) object(s *shape) map[string]any {
	members := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
		full := s.ExactlyOne && len(members) > 0
		if field := s.Fields[name]; field.OnlyWith == nil && field.NotWith == "" && !full {
			before := run.lack
			value := run.field(name, field)
			if run.lack != nil && before == nil && !slices.Contains(s.Required, name) {
				run.lack = before // the rules of this field say so
				continue
			}
			members[name] = value
		}
	}
	return members
}

// clone returns a deep copy of decoded JSON.
func clone(value any) any {
	if value == (absent{}) {
		return value
	}
	return decoded[any](body.Marshal(value))
}

// place is a location in a body, in the format of details.field: field names and list
// indexes, such as sources[0].type.
type place string

// then returns the location of a field, or of an element of a list.
func (p place) then(step any) place {
	if index, isIndex := step.(int); isIndex {
		return p + place(fmt.Sprintf("[%d]", index))
	}
	return place(strings.TrimPrefix(fmt.Sprintf("%s.%s", p, step), "."))
}

func (p place) steps() []string {
	return strings.FieldsFunc(string(p), func(r rune) bool { return strings.ContainsRune(".[]", r) })
}

// absent as a value removes the field.
type absent struct{}

// set sets a value at a location of a body. It reports false if the body has no list or
// object there.
func set(steps []string, body, value any) (changed any, ok bool) {
	if len(steps) == 0 {
		return value, true
	}
	switch body := body.(type) {
	case []any:
		if i, err := strconv.Atoi(steps[0]); err == nil && i < len(body) {
			body[i], ok = set(steps[1:], body[i], value)
		}
	case map[string]any:
		name := steps[0]
		if body[name], ok = set(steps[1:], body[name], value); body[name] == (absent{}) {
			delete(body, name)
		}
	}
	return body, ok
}
