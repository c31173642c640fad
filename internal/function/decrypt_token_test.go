package function_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestDecryptToken_namesTheArgument checks that an error is about the argument that is
// wrong, and shows nothing of the private key.
func TestDecryptToken_namesTheArgument(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	public, private := testcert.SSHKeyPair("")
	_, other := testcert.SSHKeyPair("")
	encrypted, err := pki.Encrypt("the token", public)
	if err != nil {
		t.Fatal(err)
	}
	if got, wrong := p.Call("decrypt_token", acctest.Text(encrypted), acctest.Text(private)); wrong != nil || !got.Equal(acctest.Text("the token")) {
		t.Errorf("%s: %v", got, wrong)
	}
	resp, err := p.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{
		Name: "decrypt_token", Arguments: []*tfprotov6.DynamicValue{{}, p.Dynamic(acctest.Text(private))}, // null in OpenTofu
	})
	if err != nil || resp.Error != nil || !p.Value(tftypes.String, resp.Result).IsNull() {
		t.Errorf("%v, %v, want null", resp, err)
	}
	for _, test := range []struct {
		encrypted, identity, want string
		argument                  int64
	}{
		{encrypted, other, "encrypted_token is encrypted for another recipient", 0},
		{encrypted[:100], private, "encrypted_token must be a complete armored age file", 0},
		{encrypted, public, "identity must be an age identity", 1},
	} {
		_, wrong := p.Call("decrypt_token", acctest.Text(test.encrypted), acctest.Text(test.identity))
		if wrong == nil || wrong.FunctionArgument == nil || *wrong.FunctionArgument != test.argument || !strings.HasPrefix(wrong.Text, test.want) {
			t.Errorf("%+v, want %q", wrong, test.want)
		} else if strings.Contains(wrong.Text, strings.Split(test.identity, "\n")[0]) {
			t.Errorf("the identity is repeated: %s", wrong.Text)
		}
	}
}
