package chaos

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

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

// realTerraform is an engine that runs Terraform, with the provider in this process.
// Terraform reports invalid plans and results as errors, so TakeFindings returns none.
type realTerraform struct {
	*terraform
	arguments map[string]any // arguments of the provider block
	service   *acctest.Env
	options   []string          // options of plan and apply
	addresses map[string]string // resource names in the configuration by Terraform address
	plans     int
}

func newRealTerraform(t *testing.T, service *acctest.Env, options ...string) *realTerraform {
	t.Helper()
	tf := &terraform{Terraform: service.Terraform(t, ""), t: t, url: service.URL, key: service.AdminKey}
	_, required, _ := strings.Cut(tf.Read(t, "main.tf"), "\n}\n") // without the provider block
	tf.Write(t, "main.tf", required)
	arguments := map[string]any{
		"base_url": service.URL, "api_key": service.AdminKey, "skip_credentials_validation": true,
		"skip_account_validation": true, // sequences may delete everything by hand
	}
	return &realTerraform{tf, arguments, service, options, map[string]string{}, 0}
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
		all[r.addresses[object.address]] = objectState{Type: kind.Type, Keys: keys}
	}
	return all
}

func (r *realTerraform) TakeFindings() []string { return nil }

// write writes a configuration.
func (r *realTerraform) write(config map[string]resourceConfig) {
	r.t.Helper()
	resources := map[string]map[string]any{}
	for address, resource := range config {
		r.addresses[resource.Type+"."+address] = address
		block := map[string]any{}
		for name, value := range resource.Arguments {
			block[name] = acctest.JSON(r.t, value)
		}
		if resource.CreateBeforeDestroy {
			block["lifecycle"] = map[string]any{"create_before_destroy": true}
		}
		if resources[resource.Type] == nil {
			resources[resource.Type] = map[string]any{}
		}
		resources[resource.Type][address] = block
	}
	file := map[string]any{"provider": map[string]any{"tunnel": r.arguments}}
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

// kindsOf returns the kinds with the given types.
func kindsOf(t *testing.T, names []string) []acctest.Kind {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(acctest.Kinds), func(kind acctest.Kind) bool { return !slices.Contains(names, kind.Type) })
}
