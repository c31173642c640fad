package eventdestination

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

var (
	// accessKeyID matches the ID of an AWS access key. Nearly all begin with AKIA or
	// ASIA and have 20 characters.
	accessKeyID = regexp.MustCompile(`^[A-Z0-9]{16,128}$`)
	// usualKeyID matches an ID that is nothing else.
	usualKeyID = regexp.MustCompile(`^(AKIA|ASIA)[A-Z0-9]{16}$`)
)

// checkPublic adds an error if a plan puts a secret into an attribute that is not
// secret, or an ID of an access key that is none. Values of the prior state are not
// checked. The errors have no path and repeat no value, because Terraform prints the
// lines at a path, and what is in the wrong place can be the secret.
func checkPublic(p *crud.Planning[*model]) {
	var before map[string]string
	if p.State != nil {
		before = publicTexts(p.State)
	}
	after, secret := publicTexts(p.Plan), p.Config.secret().ValueString()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		text := after[name]
		if before[name] == text || text == "" {
			continue
		}
		switch isID := strings.HasSuffix(name, ".aws_access_key_id"); {
		case quote.HasPrivateKey(text): // reported for all kinds
		case isID && usualKeyID.MatchString(secret) && !accessKeyID.MatchString(text):
			p.Diagnostics.AddError("Access key ID and secret access key are exchanged", fmt.Sprintf(
				"%s is not the ID of an AWS access key, and the secret is one. Exchange the two values: the secret access key belongs in "+
					"secret_wo, because %[1]s is stored in the state.", name))
			return
		case quote.IsSecretAccessKey(text), len(secret) >= 16 && strings.Contains(text, secret) && !usualKeyID.MatchString(secret):
			p.Diagnostics.AddError("Secret in a public attribute", fmt.Sprintf(
				"%s contains what looks like a secret, such as an AWS secret access key (not shown). This attribute is stored in the state, and "+
					"the service returns it. Set the secret in secret_wo, and %[1]s to %s.", name, expected(name)))
		case isID && !accessKeyID.MatchString(text):
			p.Diagnostics.AddError("Invalid access key ID", fmt.Sprintf(
				"%s must be %s; found a text of %d bytes of another form (not shown, because it can be a secret). An ID has 16 to 128 "+
					"characters, which are capital letters and digits.", name, expected(name), len(text)))
		case isID && !strings.HasPrefix(text, "AKIA") && !strings.HasPrefix(text, "ASIA"):
			p.Diagnostics.AddWarning("Unusual access key ID", fmt.Sprintf(
				"%s does not begin with AKIA or ASIA, like nearly all IDs of AWS access keys. AWS may reject it.", name))
		}
	}
}

func expected(name string) string {
	if strings.HasSuffix(name, ".aws_access_key_id") {
		return "the ID of the access key, such as AKIAIOSFODNN7EXAMPLE"
	}
	return "another text"
}

// publicTexts returns the known texts of a model that are not secret, by their place.
func publicTexts(m *model) map[string]string {
	found := map[string]string{}
	var add func(name string, value attr.Value)
	add = func(name string, value attr.Value) {
		switch value := value.(type) {
		case types.Object:
			for member, value := range value.Attributes() {
				add(name+"."+member, value)
			}
		case basetypes.StringValue:
			if attribute.IsKnown(value) {
				found[name] = value.ValueString()
			}
		}
	}
	for name, value := range map[string]attr.Value{
		"description": m.Description, "metadata": m.Metadata.StringValue, "format": m.Format, "target": m.Target,
	} {
		add(name, value)
	}
	return found
}
