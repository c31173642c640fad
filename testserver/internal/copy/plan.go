package copy

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Plan is what terraform show -json says of a plan, as far as it matters here.
type Plan struct {
	FormatVersion string          `json:"format_version"`
	PlannedValues json.RawMessage `json:"planned_values"`
	Configuration struct {
		ProviderConfig map[string]struct {
			FullName    string `json:"full_name"`
			Expressions map[string]json.RawMessage
		} `json:"provider_config"`
	}
	ResourceChanges []Resource                 `json:"resource_changes"`
	Invocations     []struct{ Address string } `json:"action_invocations"`
	Deferred        []json.RawMessage          `json:"deferred_action_invocations"`
}

// Resource is a resource in a plan, with what happens to it.
type Resource struct {
	Address, Mode string
	ProviderName  string `json:"provider_name"`
	Change        struct {
		Actions       []string
		Before, After any
	}
}

// ID returns the id of the object of the resource before the plan, or "".
func (r Resource) ID() string {
	before, _ := r.Change.Before.(map[string]any)
	id, _ := before["id"].(string)
	if r.Mode != "managed" {
		return ""
	}
	return id
}

const ownProvider = "/tunnel-service/tunnel"

// File returns the path of a plan that only this program writes.
func (f *Folder) File(name string) string { return filepath.Join(f.work, name+".plan") }

// planOptions returns the options of each plan from what follows the program. The name of
// the command, and what apply has from habit, say nothing here. Any other argument that
// does not only say what to plan is an error.
func planOptions(arguments []string) ([]string, error) {
	for _, name := range []string{"TF_CLI_ARGS", "TF_CLI_ARGS_plan"} {
		if os.Getenv(name) != "" {
			return nil, refused("%s is set: unset it, and write the options of the plan at the end of this command", name)
		}
	}
	if len(arguments) > 0 && slices.Contains([]string{"plan", "apply"}, arguments[0]) {
		arguments = arguments[1:]
	}
	var options []string
	for _, argument := range arguments {
		name, value, valued := strings.Cut("-"+strings.TrimLeft(argument, "-"), "=")
		known := []string{"-var", "-var-file", "-target", "-parallelism", "-lock-timeout"}
		if !valued {
			known = []string{"-compact-warnings", "-no-color"}
		}
		switch {
		case strings.HasPrefix(argument, "-") && slices.Contains(known, name):
			options = append(options, argument)
		case name == "-auto-approve" && !valued || name == "-input" && value == "false":
		default:
			return nil, refused("an option may do more than to say what is planned: expected options such as -var=NAME=VALUE, -var-file=FILE "+
				"and -target=ADDRESS; found %q. Each plan is of the copy and needs no approval", argument)
		}
	}
	return options, nil
}

// Options returns the options of each plan whose names have one of the prefixes.
func (f *Folder) Options(prefixes ...string) []string {
	return slices.DeleteFunc(slices.Clone(f.options), func(option string) bool {
		return !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix("-"+strings.TrimLeft(option, "-"), p) })
	})
}

// Planning returns the arguments with which Terraform writes a plan to a file.
func (f *Folder) Planning(file string, more ...string) []string {
	return slices.Concat([]string{"plan", "-input=false", "-out=" + file}, more, f.options)
}

// Check returns the plan in a file. It returns an error if applying the plan could reach
// something other than the copy. Nothing else may be applied: a later plan can have
// changes that the first one does not have.
func (f *Folder) Check(ctx context.Context, file string) (*Plan, error) {
	printed, err := output(ctx, f.Command(ctx, "show", "-json", file))
	if err != nil {
		return nil, err
	}
	plan := &Plan{}
	if err := json.Unmarshal(printed, plan); err != nil || !strings.HasPrefix(plan.FormatVersion, "1.") || plan.PlannedValues == nil {
		return nil, refused("the format of the plan is not known")
	}
	if err := plan.check(f.server.Stats().Total); err != nil {
		return nil, err
	}
	return plan, checkProvisioners(file)
}

func (p *Plan) check(requests int) error {
	for key, block := range p.Configuration.ProviderConfig {
		for _, name := range []string{"base_url", "api_key", "api_key_file"} {
			value, set := block.Expressions[name]
			if set && strings.HasSuffix(block.FullName, ownProvider) && (key != "tunnel" || string(value) != `{"constant_value":null}`) {
				return refused("a provider block sets an address or key of its own: %s", key)
			}
		}
	}
	own := "" // there is only one, because the requests are those of one
	for _, resource := range p.ResourceChanges {
		change := resource.Change.Actions
		if strings.HasSuffix(resource.ProviderName, ownProvider) && (own == "" || own == resource.ProviderName) {
			own = resource.ProviderName
		} else if !slices.Equal(change, []string{"no-op"}) && !slices.Equal(change, []string{"read"}) &&
			!strings.HasPrefix(resource.ProviderName, "terraform.io/builtin/") {
			return refused("it would change objects of another provider: %q of %s", resource.Address, resource.ProviderName)
		}
	}
	if len(p.Invocations)+len(p.Deferred) > 0 {
		return refused("it would run actions: %v", p.Invocations)
	}
	if own != "" && requests == 0 {
		return refused("the provider sent no request to the copy of the account: it does not use TUNNEL_BASE_URL. " +
			"Remove dev_overrides of another program from the CLI configuration")
	}
	return nil
}

// checkProvisioners looks for provisioners in a plan. It reads the configuration that the
// file of the plan contains, because terraform show -json does not show all blocks.
func checkProvisioners(plan string) error {
	archive, err := zip.OpenReader(plan)
	if err != nil {
		return refused("the configuration in the plan cannot be checked for provisioners: %q", err)
	}
	defer archive.Close()
	checked := false
	for _, file := range archive.File {
		name, ok := strings.CutPrefix(file.Name, "tfconfig/m-")
		if !ok {
			continue
		}
		name, checked = strings.TrimPrefix(name, "/"), true // of the root module
		if runs, err := hasProvisioner(file); err != nil {
			return refused("%q cannot be checked for provisioners: %q", name, err)
		} else if runs {
			return refused("a provisioner in %q would run a command: remove it for the rehearsal", name)
		}
	}
	if !checked {
		return refused("the plan has no configuration that can be checked for provisioners")
	}
	return nil
}

// hasProvisioner reports whether a file has a provisioner in any block or, in JSON, any
// text that is one.
func hasProvisioner(file *zip.File) (bool, error) {
	reader, err := file.Open()
	if err != nil {
		return false, err
	}
	defer reader.Close()
	if strings.HasSuffix(file.Name, ".json") {
		for decoder := json.NewDecoder(reader); ; {
			token, err := decoder.Token()
			if err != nil || token == "provisioner" {
				if errors.Is(err, io.EOF) {
					err = nil
				}
				return err == nil && token != nil, err
			}
		}
	}
	content, err := io.ReadAll(reader)
	if err != nil {
		return false, err
	}
	parsed, diags := hclsyntax.ParseConfig(content, file.Name, hcl.InitialPos)
	if diags.HasErrors() {
		return false, diags
	}
	body, _ := parsed.Body.(*hclsyntax.Body) // of this syntax
	return runsCommands(body), nil
}

func runsCommands(body *hclsyntax.Body) bool {
	return slices.ContainsFunc(body.Blocks, func(b *hclsyntax.Block) bool { return b.Type == "provisioner" || runsCommands(b.Body) })
}
