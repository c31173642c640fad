package crud

import (
	"bytes"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
)

// Unchanged is a plan whose proposed state is the prior state. It decodes only
// the values that are read.
type Unchanged struct {
	// Provider is the configuration of the provider.
	Provider      *Provider
	state, config map[string][]byte // in MessagePack
	undecodable   bool
}

// Text returns a string of the state, or an empty string if it is null.
func (u *Unchanged) Text(name string) string {
	value := u.state[name]
	if isNull(value) {
		return ""
	}
	text, err := msgpack.NewDecoder(bytes.NewReader(value)).DecodeString()
	u.undecodable = u.undecodable || err != nil // for example unknown
	return text
}

// Number returns a number of the state, or 0 if it is null.
func (u *Unchanged) Number(name string) int64 {
	value := u.state[name]
	if isNull(value) {
		return 0
	}
	number, err := msgpack.NewDecoder(bytes.NewReader(value)).DecodeInt64()
	u.undecodable = u.undecodable || err != nil
	return number
}

// False reports whether a boolean of the state is false, and not null.
func (u *Unchanged) False(name string) bool { return bytes.Equal(u.state[name], []byte{0xc2}) }

func isNull(value []byte) bool { return len(value) == 0 || value[0] == 0xc0 }

// encodedAttributes splits an object in MessagePack into its attributes.
func encodedAttributes(object []byte) (map[string][]byte, error) {
	reader := bytes.NewReader(object)
	decoder := msgpack.NewDecoder(reader)
	n, err := decoder.DecodeMapLen()
	if err != nil {
		return nil, err
	}
	attributes := make(map[string][]byte, max(n, 0))
	for range n {
		name, err := decoder.DecodeString()
		if err != nil {
			return nil, err
		}
		from := len(object) - reader.Len() // the decoder does not read ahead
		if err := decoder.Skip(); err != nil {
			return nil, err
		}
		attributes[name] = object[from : len(object)-reader.Len()]
	}
	return attributes, nil
}

// defaultsOf returns the defaults of a schema in MessagePack, by attribute.
func defaultsOf(of schema.Schema) (map[string][]byte, error) {
	defaults := map[string][]byte{}
	for name, attribute := range of.Attributes {
		value := defaultOf(context.Background(), attribute)
		if value == nil {
			continue
		}
		raw, err := value.ToTerraformValue(context.Background())
		if err != nil {
			return nil, err
		}
		encoded, err := tfprotov6.NewDynamicValue(raw.Type(), raw)
		if err != nil {
			return nil, err
		}
		defaults[name] = encoded.MsgPack
	}
	return defaults, nil
}

// nestedDefaultsOf returns the attributes of a schema that have a default in a nested
// attribute.
func nestedDefaultsOf(of schema.Schema) (names []string) {
	for name, attribute := range of.Attributes {
		if hasNestedDefault(attribute) {
			names = append(names, name)
		}
	}
	return names
}

func hasNestedDefault(attribute schema.Attribute) bool {
	nested, ok := attribute.(schema.NestedAttribute)
	if !ok {
		return false
	}
	for _, member := range nested.GetNestedObject().GetAttributes() {
		if one, ok := member.(schema.Attribute); ok && (defaultOf(context.Background(), one) != nil || hasNestedDefault(one)) {
			return true
		}
	}
	return false
}
