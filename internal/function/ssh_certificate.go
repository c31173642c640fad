package function

import (
	"context"
	"math/big"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
)

type sshCertificate struct{}

func (sshCertificate) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "ssh_certificate"
}

func (sshCertificate) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Decodes an SSH certificate.",
		Description: "Decodes an SSH certificate, like `ssh-keygen -L`. Returns an object with `type` (`host` or `user`), `serial`, `key_id`, " +
			"`principals` (empty if the certificate is valid for all principals), `valid_after` and `valid_before` (in RFC 3339 format, " +
			"UTC, at most `9999-12-31T23:59:59Z`; " +
			"null if there is no limit), " +
			"and `key_fingerprint` and `ca_fingerprint` (SHA-256, like `ssh-keygen -l`). Does not verify the signature.",
		Parameters: []function.Parameter{
			function.StringParameter{
				Name: "certificate",
				Description: "Certificate as one line in OpenSSH authorized-keys format, such as the attribute `certificate` of " +
					"`tunnel_ssh_host_certificate`, or the content of a `-cert.pub` file.",
			},
		},
		Return: function.ObjectReturn{AttributeTypes: certificateTypes},
	}
}

var certificateTypes = map[string]attr.Type{
	"type":            types.StringType,
	"serial":          types.NumberType,
	"key_id":          types.StringType,
	"principals":      types.ListType{ElemType: types.StringType},
	"valid_after":     types.StringType,
	"valid_before":    types.StringType,
	"key_fingerprint": types.StringType,
	"ca_fingerprint":  types.StringType,
}

func (sshCertificate) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	certificate, err := pki.ParseSSHCertificate(text)
	if err != nil {
		resp.Error = argumentError(0, "certificate", err)
		return
	}
	kind := "user"
	if certificate.CertType == ssh.HostCert {
		kind = "host"
	}
	said, diags := types.ObjectValue(certificateTypes, map[string]attr.Value{
		"type":            types.StringValue(kind),
		"serial":          types.NumberValue(new(big.Float).SetUint64(certificate.Serial)),
		"key_id":          types.StringValue(certificate.KeyId),
		"principals":      attribute.ListOf(certificate.ValidPrincipals),
		"valid_after":     instant(certificate.ValidAfter, 0),
		"valid_before":    instant(certificate.ValidBefore, ssh.CertTimeInfinity),
		"key_fingerprint": types.StringValue(ssh.FingerprintSHA256(certificate.Key)),
		"ca_fingerprint":  types.StringValue(ssh.FingerprintSHA256(certificate.SignatureKey)),
	})
	if resp.Error = function.FuncErrorFromDiags(ctx, diags); resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, said)
	}
}

// lastSecond is the end of the year 9999, in seconds since 1970. RFC 3339
// cannot represent later times.
const lastSecond = 253402300799

// instant returns a time of a certificate, in seconds since 1970, as RFC 3339, at most
// lastSecond. It returns null if seconds is limitless, the value for no limit.
func instant(seconds, limitless uint64) types.String {
	if seconds == limitless {
		return types.StringNull()
	}
	return types.StringValue(time.Unix(int64(min(seconds, lastSecond)), 0).UTC().Format(time.RFC3339)) //nolint:gosec // see lastSecond
}
