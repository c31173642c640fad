package acctest

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Call calls a function of the provider. If the function returns an error, the
// value is null.
func (p *Protocol) Call(name string, arguments ...tftypes.Value) (tftypes.Value, *tfprotov6.FunctionError) {
	p.t.Helper()
	req := &tfprotov6.CallFunctionRequest{Name: name}
	for _, argument := range arguments {
		req.Arguments = append(req.Arguments, p.Dynamic(argument))
	}
	resp, err := p.CallFunction(p.t.Context(), req)
	if err != nil {
		p.t.Fatal(err)
	}
	of := p.Schema.Functions[name].Return.Type
	if resp.Error != nil || resp.Result == nil {
		return tftypes.NewValue(of, nil), resp.Error
	}
	return p.Value(of, resp.Result), nil
}
