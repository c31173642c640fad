package chaos

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// engine applies configurations: simulator in this process, or real
// Terraform.
type engine interface {
	Plan(config map[string]resourceConfig) savedPlan
	Apply(config map[string]resourceConfig) (errors map[string]string)
	Import(address, resource, id string)
	Forget(address string)
	ObjectState() map[string]objectState
	TakeFindings() []string
}

// realTerraform is an engine that runs Terraform with the provider's binary.
// Each resource can have its own service. Terraform reports invalid plans and
// results as errors, so TakeFindings returns none.
type realTerraform struct {
	*terraform
	arguments map[string]tftypes.Value // arguments of each provider block
	service   *acctest.Env             // service of the resources that are not in services
	services  map[string]*acctest.Env  // by address
	options   []string                 // options of plan and apply
	addresses map[string]string        // resource names in the configuration by Terraform address
	plans     int
}

func newRealTerraform(t *testing.T, service *acctest.Env, options ...string) *realTerraform {
	t.Helper()
	tf := newTerraform(t, "", "", "")
	tf.Setenv(t, map[string]string{"TUNNEL_SKIP_ACCOUNT_VALIDATION": "true"}) // sequences may delete everything by hand
	return &realTerraform{terraform: tf, service: service, services: map[string]*acctest.Env{}, options: options, addresses: map[string]string{}}
}

func (r *realTerraform) Plan(config map[string]resourceConfig) savedPlan {
	r.t.Helper()
	r.write(config)
	r.plans++
	file := fmt.Sprintf("%d.plan", r.plans)
	out, err := r.Try(r.t, append([]string{"plan", "-json", "-out=" + file}, r.options...)...)
	plan := savedPlan{Errors: r.errors(out, err)}
	for line := range strings.Lines(out) {
		var message struct {
			Type   string
			Change struct{ Resource struct{ Addr string } }
		}
		if json.Unmarshal([]byte(line), &message) == nil && message.Type == "planned_change" {
			plan.Changes = append(plan.Changes, r.addresses[message.Change.Resource.Addr])
		}
	}
	plan.Apply = func() map[string]string {
		r.t.Helper()
		if len(plan.Errors) > 0 {
			return plan.Errors
		}
		return r.errors(r.Try(r.t, append(append([]string{"apply", "-json"}, r.options...), file)...))
	}
	return plan
}

func (r *realTerraform) Apply(config map[string]resourceConfig) map[string]string {
	r.t.Helper()
	r.write(config)
	return r.errors(r.Try(r.t, append([]string{"apply", "-json", "-auto-approve"}, r.options...)...))
}

// errors returns the first error of each resource. Errors without a known
// resource have the key "", because Terraform does not report the address of a
// resource that is no longer in the configuration.
func (r *realTerraform) errors(out string, err error) map[string]string {
	r.t.Helper()
	errors := map[string]string{}
	for _, f := range failuresIn(out) {
		name, _, _ := strings.Cut(f.Address, " ") // remove the suffix of a deposed object
		if address := r.addresses[name]; errors[address] == "" {
			errors[address] = f.Summary + ": " + f.Detail
		}
	}
	if err != nil && len(errors) == 0 {
		r.t.Errorf("%v\n%s", err, acctest.Summary(out))
	}
	return errors
}

func (r *realTerraform) Import(address, resource, id string) {
	r.t.Helper()
	r.Run(r.t, "import", resource+"."+address, id)
}

func (r *realTerraform) Forget(address string) {
	r.t.Helper()
	r.Run(r.t, "state", "rm", r.ObjectState()[address].Type+"."+address)
}

func (r *realTerraform) ObjectState() map[string]objectState {
	r.t.Helper()
	all := map[string]objectState{}
	for path, object := range r.state() {
		kind, keys := acctest.KindAt(path)
		name, _, _ := strings.Cut(object.address, "[")
		all[r.addresses[name]] = objectState{Type: kind.Type, Keys: keys}
	}
	return all
}

func (r *realTerraform) TakeFindings() []string { return nil }

// write writes a configuration. It keeps the provider block of a removed
// resource, because Terraform needs it to delete the object.
func (r *realTerraform) write(config map[string]resourceConfig) {
	r.t.Helper()
	providers := []any{r.provider("", r.service)}
	for address, service := range r.services {
		providers = append(providers, r.provider(address, service))
	}
	resources := map[string]map[string]any{}
	for address, resource := range config {
		r.addresses[resource.Type+"."+address] = address
		block := r.block(resource.Arguments)
		if r.services[address] != nil {
			block["provider"] = "tunnel." + address
		}
		if resource.CreateBeforeDestroy {
			block["lifecycle"] = map[string]any{"create_before_destroy": true}
		}
		if resources[resource.Type] == nil {
			resources[resource.Type] = map[string]any{}
		}
		resources[resource.Type][address] = block
	}
	file := map[string]any{"provider": map[string]any{"tunnel": providers}}
	if len(resources) > 0 {
		file["resource"] = resources
	}
	content, err := json.Marshal(file)
	if err != nil {
		r.t.Fatal(err)
	}
	// Strings in a configuration are templates, so escape them.
	r.Write(r.t, "config.tf.json", strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(content)))
}

func (r *realTerraform) provider(alias string, service *acctest.Env) map[string]any {
	r.t.Helper()
	block := r.block(r.arguments)
	block["base_url"], block["api_key"], block["skip_credentials_validation"] = service.URL, service.AdminKey, true
	if alias != "" {
		block["alias"] = alias
	}
	return block
}

func (r *realTerraform) block(arguments map[string]tftypes.Value) map[string]any {
	r.t.Helper()
	block := map[string]any{}
	for name, value := range arguments {
		block[name] = acctest.JSON(r.t, value)
	}
	return block
}

// kindsOf returns the kinds with the given types.
func kindsOf(t *testing.T, names []string) []acctest.Kind {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(acctest.Kinds), func(kind acctest.Kind) bool { return !slices.Contains(names, kind.Type) })
}
