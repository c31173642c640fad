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
	definition := p.Schema.Functions[name]
	for i, argument := range arguments {
		parameter := definition.VariadicParameter
		if i < len(definition.Parameters) {
			parameter = definition.Parameters[i]
		}
		encoded, err := tfprotov6.NewDynamicValue(parameter.Type, argument)
		if err != nil {
			p.t.Fatal(err)
		}
		req.Arguments = append(req.Arguments, &encoded)
	}
	resp, err := p.CallFunction(p.t.Context(), req)
	if err != nil {
		p.t.Fatal(err)
	}
	of := definition.Return.Type
	if resp.Error != nil || resp.Result == nil {
		return tftypes.NewValue(of, nil), resp.Error
	}
	return p.Value(of, resp.Result), nil
}
