package function

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
)

type certificateCovers struct{}

func (certificateCovers) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "certificate_covers"
}

func (certificateCovers) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Decides whether a TLS certificate covers a hostname.",
		Description: "Returns `true` if a TLS certificate is valid for a hostname or an IP address, by the rules of TLS clients (RFC 6125): " +
			"the subject alternative names of the leaf certificate contain it, or contain a wildcard in place of its first label. " +
			"Case is ignored, and so is the common name. Does not verify signatures or the validity period.",
		Parameters: []function.Parameter{
			function.StringParameter{
				Name: "pem",
				Description: "Certificate, or a chain with the leaf certificate first, in PEM format, such as the attribute `certificate_pem` of " +
					"`tunnel_tls_certificate`.",
			},
			function.StringParameter{
				Name: "hostname",
				Description: "Hostname such as `www.example.com`, or an IP address. A wildcard domain such as `*.example.com` is covered by the " +
					"same wildcard only. That wildcard does not cover `example.com`.",
			},
		},
		Return: function.BoolReturn{},
	}
}

func (certificateCovers) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text, host string
	if resp.Error = req.Arguments.Get(ctx, &text, &host); resp.Error != nil {
		return
	}
	chain, err := pki.ParseChain(text)
	if err == nil && !pki.LeafFirst(chain) {
		err = pki.CheckOrder(chain)
	}
	if err != nil {
		resp.Error = argumentError(0, "pem", err)
		return
	}
	if err := attribute.CheckCovered(host); err != nil {
		resp.Error = argumentError(1, "hostname", err)
		return
	}
	resp.Error = resp.Result.Set(ctx, pki.Covers(chain[0], host))
}
