package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

const (
	meteredProgram = "TUNNELBENCH_METERED"
	meteredUsage   = "TUNNELBENCH_USAGE"
)

// usage is what the provider processes of a command used.
type usage struct {
	cpu      float64 // seconds
	memory   float64 // MiB, of the largest
	requests int
}

// asProvider runs a provider as Terraform asks for: one as a child process, which it
// measures, or one that does nothing.
func asProvider() int {
	err := metered(os.Getenv(meteredProgram))
	if os.Getenv(meteredProgram) == "" {
		err = hollow()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	return 0
}

// metered runs a provider and appends what it used to a file.
func metered(program string) error {
	if program == "" {
		return nil
	}
	cmd := exec.Command(program, os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	file, err := os.OpenFile(os.Getenv(meteredUsage), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage) // Maxrss is in KiB on Linux
	_, err = fmt.Fprintln(file, float64(used.Utime.Nano()+used.Stime.Nano())/1e9, float64(used.Maxrss)/1024)
	return err
}

func readUsage(file string) (used usage, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return used, err
	}
	for line := range strings.Lines(string(text)) {
		var cpu, memory float64
		if _, err := fmt.Sscan(line, &cpu, &memory); err != nil {
			return used, err
		}
		used.cpu, used.memory = used.cpu+cpu, max(used.memory, memory)
	}
	return used, os.Remove(file)
}

// hollow serves this provider's schemas. Its operations repeat the values of the request,
// so it costs what Terraform and the protocol cost.
func hollow() error {
	os.Setenv("TF_LOG_SDK", "off")
	os.Setenv("TF_LOG_PROVIDER_TUNNEL", "off")
	debug.SetGCPercent(200)
	server, err := provider.Server(provider.New("hollow")())
	if err != nil {
		return err
	}
	schemas, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return err
	}
	return tf6server.Serve("registry.terraform.io/tunnel-service/tunnel", func() tfprotov6.ProviderServer {
		return hollowServer{server, schemas.ResourceSchemas}
	})
}

type hollowServer struct {
	tfprotov6.ProviderServer
	schemas map[string]*tfprotov6.Schema
}

func (hollowServer) ConfigureProvider(
	context.Context, *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
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
	planned, err := h.filled(req)
	return &tfprotov6.PlanResourceChangeResponse{
		PlannedState: planned, PlannedIdentity: req.PriorIdentity, PlannedPrivate: req.PriorPrivate,
	}, err
}

// filled gives a new object texts for what a service would set, so that its state is
// about as large, because Terraform writes the whole state after each object.
func (h hollowServer) filled(req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.DynamicValue, error) {
	schema := h.schemas[req.TypeName]
	prior, err := req.PriorState.Unmarshal(schema.ValueType())
	if err != nil || !prior.IsNull() {
		return req.ProposedNewState, err
	}
	object, err := req.ProposedNewState.Unmarshal(schema.ValueType())
	if err != nil {
		return nil, err
	}
	var attributes map[string]tftypes.Value
	if err := object.As(&attributes); err != nil {
		return nil, err
	}
	for _, a := range schema.Block.Attributes {
		if a.Computed && a.Type.Equal(tftypes.String) && attributes[a.Name].IsNull() {
			attributes[a.Name] = tftypes.NewValue(tftypes.String, strings.Repeat("x", 40))
		}
	}
	filled, err := tfprotov6.NewDynamicValue(schema.ValueType(), tftypes.NewValue(schema.ValueType(), attributes))
	return &filled, err
}

func (hollowServer) ApplyResourceChange(
	_ context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return &tfprotov6.ApplyResourceChangeResponse{
		NewState: req.PlannedState, NewIdentity: req.PlannedIdentity, Private: req.PlannedPrivate,
	}, nil
}
