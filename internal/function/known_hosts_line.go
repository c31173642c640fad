package function

import (
	"context"
	"encoding/base64"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

type knownHostsLine struct{}

func (knownHostsLine) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "known_hosts_line"
}

func (knownHostsLine) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "A line for known_hosts that trusts an SSH certificate authority.",
		Description: "Returns a line for a known_hosts file, without a line end, that makes ssh trust the host certificates of an SSH certificate authority " +
			"for the hosts that the patterns name: @cert-authority, the patterns, and the key.",
		Parameters: []function.Parameter{
			function.ListParameter{
				Name:        "patterns",
				ElementType: types.StringType,
				Description: "The hosts, as patterns of ssh: *.example.com or 192.0.2.*, [host]:2222 for a port other than 22, and !bad.example.com for an exception. At least one that is no exception.",
			},
			function.StringParameter{
				Name:        "ca_public_key",
				Description: "The authority's public key as one line in OpenSSH's authorized-keys format, of the type rsa, ecdsa or ed25519. Its comment is left out.",
			},
		},
		Return: function.StringReturn{},
	}
}

func (knownHostsLine) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var patterns []string
	var text string
	if resp.Error = req.Arguments.Get(ctx, &patterns, &text); resp.Error != nil {
		return
	}
	if err := attribute.CheckKnownHosts(patterns); err != nil {
		resp.Error = argumentError(0, "patterns", err)
		return
	}
	key, err := attribute.ParsePublicKey(text)
	if err != nil {
		resp.Error = argumentError(1, "ca_public_key", err)
		return
	}
	line := strings.Join([]string{"@cert-authority", strings.Join(patterns, ","), key.Type(), base64.StdEncoding.EncodeToString(key.Marshal())}, " ")
	resp.Error = resp.Result.Set(ctx, line)
}
