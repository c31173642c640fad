package function

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
)

type knownHostsLine struct{}

func (knownHostsLine) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "known_hosts_line"
}

func (knownHostsLine) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Builds a known_hosts line that trusts an SSH certificate authority.",
		Description: "Returns a `known_hosts` line (`@cert-authority`, patterns and key) without a trailing newline. " +
			"With this line, `ssh` trusts host certificates that the " +
			"authority has signed, for hosts that match the patterns.",
		Parameters: []function.Parameter{
			function.ListParameter{
				Name:        "patterns",
				ElementType: types.StringType,
				Description: "Host patterns, such as `*.example.com`, `192.0.2.*`, `[host]:2222` for a port other than 22, or `!bad.example.com` " +
					"to exclude a host. To exclude it on another port as well, add `![bad.example.com]:2222`: ssh looks up both. " +
					"At least one pattern must not be negated.",
			},
			function.StringParameter{
				Name: "ca_public_key",
				Description: "Public key of the authority, as one line in OpenSSH authorized-keys format, or in PEM or RFC 4716 format. " +
					"The key type must be RSA, ECDSA or Ed25519. The comment is removed.",
			},
		},
		Return: function.StringReturn{},
	}
}

func (knownHostsLine) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var elements []types.String
	var text string
	if resp.Error = req.Arguments.Get(ctx, &elements, &text); resp.Error != nil {
		return
	}
	patterns := make([]string, len(elements))
	for i, element := range elements {
		if element.IsNull() {
			resp.Error = argumentError(
				0, fmt.Sprintf("patterns[%d]", i), errors.New("must not be null. Remove null elements, for example with compact()"),
			)
			return
		}
		patterns[i] = element.ValueString()
	}
	if err := pki.CheckKnownHosts(patterns); err != nil {
		resp.Error = argumentError(0, "patterns", err)
		return
	}
	key, err := pki.ParsePublicKey(text)
	if err != nil {
		resp.Error = argumentError(1, "ca_public_key", err)
		return
	}
	line := strings.Join(
		[]string{"@cert-authority", strings.Join(patterns, ","), key.Type(), base64.StdEncoding.EncodeToString(key.Marshal())}, " ",
	)
	resp.Error = resp.Result.Set(ctx, line)
}
