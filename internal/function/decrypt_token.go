package function

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
)

type decryptToken struct{}

func (decryptToken) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "decrypt_token"
}

func (decryptToken) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Decrypts the token of an API key.",
		Description: "Returns the token of a `tunnel_api_key` with `token_recipient`. If `identity` is ephemeral, such as a variable with " +
			"`ephemeral = true`, so is the result: it can be used in write-only arguments, and is in no plan and no state. " +
			"Otherwise the token is stored where you use it.",
		Parameters: []function.Parameter{
			function.StringParameter{
				Name:           "encrypted_token",
				AllowNullValue: true, // an imported API key has none
				Description: "The `encrypted_token` of the API key: armored text that `age --decrypt` accepts, too. If it is null, as for an " +
					"imported API key, so is the result.",
			},
			function.StringParameter{
				Name: "identity",
				Description: "The private key of `token_recipient`: an age identity, such as the content of a file of `age-keygen`, or an SSH " +
					"private key of the type Ed25519 or RSA without a passphrase.",
			},
		},
		Return: function.StringReturn{},
	}
}

func (decryptToken) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var encrypted *string
	var identity string
	if resp.Error = req.Arguments.Get(ctx, &encrypted, &identity); resp.Error != nil {
		return
	}
	keys, err := pki.ParseIdentity(identity)
	if err != nil {
		resp.Error = argumentError(1, "identity", err)
		return
	}
	if encrypted == nil {
		resp.Error = resp.Result.Set(ctx, encrypted)
		return
	}
	token, err := pki.Decrypt(*encrypted, keys)
	if err != nil {
		resp.Error = argumentError(0, "encrypted_token", err)
		return
	}
	resp.Error = resp.Result.Set(ctx, token)
}
