package function

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

type aclAllows struct{}

func (aclAllows) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "acl_allows"
}

func (aclAllows) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Decides offline whether the ACL of an SSH credential allows a client to bind something.",
		Description: "Returns `true` if the ACL of an SSH credential allows a client to bind a domain, an address or a label, without the " +
			"service. Use it in `terraform test`, `check` blocks and preconditions.\n\n" +
			"- `*` allows everything, and so does an ACL that is null or empty.\n" +
			"- `bind:<domain>` allows this domain.\n" +
			"- `bind:*.<suffix>` allows any subdomain of the suffix, also one with several labels, and the wildcard domain itself. " +
			"`bind:*` allows any domain.\n" +
			"- `bind:<host>:<port>` allows this address.\n" +
			"- `bind:<key>=<value>` allows this label. `*` as the key or the value matches any.\n\n" +
			"Domains are case-insensitive, labels are case-sensitive. A rule for a domain does not allow a host and port. " +
			"The service may decide differently from the provider where the API documentation is silent.",
		Parameters: []function.Parameter{
			function.ListParameter{
				Name:               "acl",
				ElementType:        types.StringType,
				AllowNullValue:     true,
				AllowUnknownValues: true,
				Description:        "ACL rules, such as the attribute `acl` of `tunnel_ssh_credential`.",
			},
			function.StringParameter{
				Name: "bind",
				Description: "What a client asks to bind: a domain such as `www.example.com` or `*.example.com`, a host and port such as " +
					"`1.tcp.example.com:20001`, or a label such as `env=prod`.",
			},
		},
		Return: function.BoolReturn{},
	}
}

func (aclAllows) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var acl types.List
	var bind string
	if resp.Error = req.Arguments.Get(ctx, &acl, &bind); resp.Error != nil {
		return
	}
	known := !acl.IsUnknown()
	for _, rule := range acl.Elements() {
		if rule.IsNull() {
			resp.Error = argumentError(0, "acl", errors.New("must not contain null. Remove null elements, for example with compact()"))
			return
		}
		known = known && !rule.IsUnknown()
	}
	if !known {
		resp.Error = resp.Result.Set(ctx, types.BoolUnknown())
		return
	}
	allows, err := attribute.ACLAllows(attribute.Strings(acl), bind)
	if _, invalid := errors.AsType[attribute.InvalidRuleError](err); invalid {
		resp.Error = argumentError(0, "acl", err)
		return
	}
	if err != nil {
		resp.Error = argumentError(1, "bind", err)
		return
	}
	resp.Error = resp.Result.Set(ctx, allows)
}
