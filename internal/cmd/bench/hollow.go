package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// hollow serves a provider with this provider's schemas whose operations do
// nothing: responses repeat the values of the request. It measures the cost of
// Terraform and the protocol.
func hollow() int {
	os.Setenv("TF_LOG_SDK", "off")
	os.Setenv("TF_LOG_PROVIDER_TUNNEL", "off")
	debug.SetGCPercent(200)
	server, err := provider.Server(provider.New("hollow")())
	if err == nil {
		var created map[string]json.RawMessage
		if created, err = results(os.Getenv(resultsFile)); err == nil {
			err = tf6server.Serve("registry.terraform.io/tunnel-service/tunnel", func() tfprotov6.ProviderServer {
				return hollowServer{server, created}
			})
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	return 0
}

// hollowServer is a provider that does nothing. If it has results, it
// creates the TLS certificates among them.
type hollowServer struct {
	tfprotov6.ProviderServer
	results map[string]json.RawMessage // attributes by certificate_pem
}

// results returns the TLS certificates of a state file; none if file is "".
func results(file string) (map[string]json.RawMessage, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var state struct {
		Resources []struct {
			Instances []struct{ Attributes json.RawMessage }
		}
	}
	if err := json.Unmarshal(text, &state); err != nil {
		return nil, err
	}
	found := map[string]json.RawMessage{}
	for _, instance := range state.Resources[0].Instances {
		var certificate struct {
			CertificatePEM string `json:"certificate_pem"`
		}
		if err := json.Unmarshal(instance.Attributes, &certificate); err != nil {
			return nil, err
		}
		found[certificate.CertificatePEM] = instance.Attributes
	}
	return found, nil
}

func (hollowServer) ValidateResourceConfig(
	context.Context, *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (hollowServer) UpgradeResourceState(
	_ context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
}

func (hollowServer) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, NewIdentity: req.CurrentIdentity, Private: req.Private}, nil
}

func (h hollowServer) PlanResourceChange(
	_ context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	if h.results != nil {
		return h.plan(req)
	}
	return &tfprotov6.PlanResourceChangeResponse{
		PlannedState:    req.ProposedNewState,
		PlannedIdentity: req.PriorIdentity,
		PlannedPrivate:  req.PriorPrivate,
	}, nil
}

// plan plans the creation of one of the results, which it passes on to the
// apply. The attributes that only the result has are unknown.
func (h hollowServer) plan(req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	var attributes map[string]msgpack.RawMessage
	if err := msgpack.Unmarshal(req.ProposedNewState.MsgPack, &attributes); err != nil {
		return nil, err
	}
	var certificate string
	if err := msgpack.Unmarshal(attributes["certificate_pem"], &certificate); err != nil {
		return nil, err
	}
	var result map[string]any
	if err := json.Unmarshal(h.results[certificate], &result); err != nil {
		return nil, err
	}
	for name, value := range attributes {
		if result[name] != nil && len(value) == 0 { // null
			attributes[name] = []byte{0xd4, 0, 0} // unknown
		}
	}
	planned, err := msgpack.Marshal(attributes)
	return &tfprotov6.PlanResourceChangeResponse{
		PlannedState: &tfprotov6.DynamicValue{MsgPack: planned}, PlannedIdentity: req.PriorIdentity, PlannedPrivate: h.results[certificate],
	}, err
}

func (h hollowServer) ApplyResourceChange(
	_ context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	if h.results != nil {
		return &tfprotov6.ApplyResourceChangeResponse{
			NewState: &tfprotov6.DynamicValue{JSON: req.PlannedPrivate}, NewIdentity: req.PlannedIdentity,
		}, nil
	}
	return &tfprotov6.ApplyResourceChangeResponse{
		NewState:    req.PlannedState,
		NewIdentity: req.PlannedIdentity,
		Private:     req.PlannedPrivate,
	}, nil
}

func (hollowServer) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
}
