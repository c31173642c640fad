package acctest

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// Protocol calls a provider in process with Terraform's plugin protocol. Use it for
// everything that the provider alone decides.
type Protocol struct {
	tfprotov6.ProviderServer
	Schema   *tfprotov6.GetProviderSchemaResponse
	identity *tfprotov6.GetResourceIdentitySchemasResponse
	t        testing.TB

	configured   bool
	arguments    map[string]tftypes.Value        // of the last configuration
	unconfigured func() tfprotov6.ProviderServer // another provider with the same options
}

// Protocol returns a provider that is configured for this Env.
func (w *Env) Protocol(t testing.TB, options ...provider.Option) *Protocol {
	t.Helper()
	p := NewProtocol(t, options...)
	p.Configure(map[string]tftypes.Value{"base_url": Text(w.URL), "api_key": Text(w.AdminKey)})
	return p
}

// NewProtocol returns a provider that is not configured.
func NewProtocol(t testing.TB, options ...provider.Option) *Protocol {
	t.Helper()
	server, err := newServer(options...)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	identity, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	p := &Protocol{ProviderServer: server, Schema: schema, identity: identity, t: t}
	p.unconfigured = sync.OnceValue(func() tfprotov6.ProviderServer {
		server, err := newServer(options...)
		if err != nil {
			t.Fatal(err)
		}
		return server
	})
	p.Must(schema.Diagnostics)
	p.Must(identity.Diagnostics)
	return p
}

// Must fails the test if a diagnostic is an error.
func (p *Protocol) Must(diagnostics []*tfprotov6.Diagnostic) {
	p.t.Helper()
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			p.t.Fatalf("%s: %s (%s)", d.Summary, d.Detail, d.Attribute)
		}
	}
}

// Configure configures the provider. The test fails on errors. Missing
// arguments are null.
func (p *Protocol) Configure(arguments map[string]tftypes.Value) {
	p.t.Helper()
	p.Must(p.TryConfigure(arguments))
}

// TryConfigure is like Configure, but returns the diagnostics.
func (p *Protocol) TryConfigure(arguments map[string]tftypes.Value) []*tfprotov6.Diagnostic {
	p.t.Helper()
	p.arguments = arguments
	config := p.Dynamic(Object(p.Schema.Provider.ValueType(), arguments))
	resp, err := p.ConfigureProvider(p.t.Context(), &tfprotov6.ConfigureProviderRequest{TerraformVersion: "1.11.4", Config: config})
	if err != nil {
		p.t.Fatal(err)
	}
	p.configured = !slices.ContainsFunc(resp.Diagnostics, func(d *tfprotov6.Diagnostic) bool {
		return d.Severity == tfprotov6.DiagnosticSeverityError
	})
	return resp.Diagnostics
}

// NextRun configures the provider again: the following calls are those of the next
// Terraform command.
func (p *Protocol) NextRun() *Protocol {
	p.t.Helper()
	p.Configure(p.arguments)
	return p
}

// Object returns an object of the given type. Missing attributes are null, and it panics
// if the type lacks one.
func Object(of tftypes.Type, attributes map[string]tftypes.Value) tftypes.Value {
	all := map[string]tftypes.Value{}
	for name, attribute := range of.(tftypes.Object).AttributeTypes {
		all[name] = tftypes.NewValue(attribute, nil)
	}
	maps.Copy(all, attributes)
	return tftypes.NewValue(of, all)
}

// Type returns the type of a resource's state.
func (p *Protocol) Type(resource string) tftypes.Type {
	return p.Schema.ResourceSchemas[resource].ValueType()
}

// IdentityType returns the type of a resource's identity.
func (p *Protocol) IdentityType(resource string) tftypes.Type {
	return p.identity.IdentitySchemas[resource].ValueType()
}

// Identity returns the identity of a resource with the given keys.
func (p *Protocol) Identity(resource string, keys map[string]string) *tfprotov6.ResourceIdentityData {
	p.t.Helper()
	attributes := map[string]tftypes.Value{}
	for name, value := range keys {
		attributes[name] = tftypes.NewValue(tftypes.String, value)
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: p.Dynamic(Object(p.IdentityType(resource), attributes))}
}

// Import imports an object by id, or by identity if id is empty, and reads it,
// like Terraform. It returns the state and the attributes of the identity.
func (p *Protocol) Import(resource, id string, identity *tfprotov6.ResourceIdentityData) (tftypes.Value, map[string]string) {
	p.t.Helper()
	resp, err := p.ImportResourceState(p.t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: resource, ID: id, Identity: identity})
	if err != nil {
		p.t.Fatal(err)
	}
	p.Must(resp.Diagnostics)
	if len(resp.ImportedResources) != 1 {
		p.t.Fatalf("%d resources were imported", len(resp.ImportedResources))
	}
	imported := resp.ImportedResources[0]
	read, err := p.ReadResource(p.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: resource, CurrentState: imported.State, CurrentIdentity: imported.Identity, Private: imported.Private,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.Must(read.Diagnostics)
	return p.Value(p.Type(resource), read.NewState), p.keys(resource, read.NewIdentity)
}

// Read refreshes a state. identity can be nil. It returns the state and the
// attributes of the identity.
func (p *Protocol) Read(resource string, state tftypes.Value, identity *tfprotov6.ResourceIdentityData) (tftypes.Value, map[string]string) {
	p.t.Helper()
	resp, err := p.ReadResource(p.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: resource, CurrentState: p.Dynamic(state), CurrentIdentity: identity,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.Must(resp.Diagnostics)
	return p.Value(p.Type(resource), resp.NewState), p.keys(resource, resp.NewIdentity)
}

// Value decodes a value.
func (p *Protocol) Value(of tftypes.Type, value *tfprotov6.DynamicValue) tftypes.Value {
	p.t.Helper()
	decoded, err := value.Unmarshal(of)
	if err != nil {
		p.t.Fatal(err)
	}
	return decoded
}

// Strings returns the attributes of an object that are known strings.
func (p *Protocol) Strings(object tftypes.Value) map[string]string {
	p.t.Helper()
	if object.IsNull() {
		return nil
	}
	texts := map[string]string{}
	for name, value := range p.Attributes(object) {
		var text string
		if value.Type().Is(tftypes.String) && value.IsKnown() && !value.IsNull() && value.As(&text) == nil {
			texts[name] = text
		}
	}
	return texts
}

func (p *Protocol) keys(resource string, identity *tfprotov6.ResourceIdentityData) map[string]string {
	p.t.Helper()
	if identity == nil {
		return nil
	}
	return p.Strings(p.Value(p.IdentityType(resource), identity.IdentityData))
}

// Dynamic encodes a value.
func (p *Protocol) Dynamic(value tftypes.Value) *tfprotov6.DynamicValue {
	p.t.Helper()
	dynamic, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		p.t.Fatal(err)
	}
	return &dynamic
}
