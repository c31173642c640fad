package function

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
)

type sshFingerprint struct{}

func (sshFingerprint) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "ssh_fingerprint"
}

func (sshFingerprint) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Computes the fingerprint of an SSH public key.",
		Description: "Returns the SHA-256 fingerprint of an SSH public key, like `ssh-keygen -l`: `SHA256:` and 43 characters. " +
			"The comment of the key is ignored.",
		Parameters: []function.Parameter{
			function.StringParameter{
				Name: "public_key",
				Description: "Public key as one line in OpenSSH authorized-keys format, such as the content of a `.pub` file, or in PEM or RFC " +
					"4716 format. The key type must be RSA, ECDSA, Ed25519, DSA or a FIDO security key.",
			},
		},
		Return: function.StringReturn{},
	}
}

func (sshFingerprint) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	key, err := pki.ParseCredentialKey(text)
	if err != nil {
		resp.Error = argumentError(0, "public_key", err)
		return
	}
	resp.Error = resp.Result.Set(ctx, ssh.FingerprintSHA256(key))
}
