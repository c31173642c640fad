package main

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// planFile is the file of a plan in a workspace.
const planFile = "rehearsal.plan"

// shownPlan is what terraform show -json says of a plan, as far as it matters here.
type shownPlan struct {
	FormatVersion string          `json:"format_version"`
	PlannedValues json.RawMessage `json:"planned_values"`
	Configuration struct {
		ProviderConfig map[string]struct {
			FullName    string                     `json:"full_name"`
			Expressions map[string]json.RawMessage `json:"expressions"`
		} `json:"provider_config"`
		RootModule shownModule `json:"root_module"`
	} `json:"configuration"`
	ResourceChanges []struct {
		Address      string `json:"address"`
		ProviderName string `json:"provider_name"`
		Change       struct {
			Actions []string   `json:"actions"`
			Before  shownState `json:"before"`
			After   shownState `json:"after"`
		} `json:"change"`
	} `json:"resource_changes"`
	Actions []struct {
		Address string `json:"address"`
	} `json:"action_invocations"`
}

// shownModule is a module of a configuration.
type shownModule struct {
	Resources []struct {
		Address      string            `json:"address"`
		Provisioners []json.RawMessage `json:"provisioners"`
	} `json:"resources"`
	ModuleCalls map[string]struct {
		Module shownModule `json:"module"`
	} `json:"module_calls"`
}

// shownState is what a calendar needs of a resource.
type shownState struct {
	ID    string `json:"id"`
	Early *int64 `json:"early_renewal_hours"`
}

const ownProvider = "/tunnel-service/tunnel"

// show returns the plan in a file, also as printed. It returns an error if applying the
// plan could reach something other than the copy. Nothing else may be applied: a later
// plan can have changes that the first one does not have.
func (w *workspace) show(ctx context.Context, file string) (plan *shownPlan, printed []byte, err error) {
	printed, err = w.run(ctx, "show", "-json", file)
	if err != nil {
		return nil, nil, err
	}
	plan = &shownPlan{}
	if err := json.Unmarshal(printed, plan); err != nil || !strings.HasPrefix(plan.FormatVersion, "1.") || plan.PlannedValues == nil {
		return nil, nil, refused("the format of the plan is not known")
	}
	return plan, printed, plan.check()
}

// check returns an error if applying the plan could reach something other than the copy.
func (p *shownPlan) check() error {
	var fixed, others, actions []string
	for key, block := range p.Configuration.ProviderConfig {
		if !strings.HasSuffix(block.FullName, ownProvider) {
			continue
		}
		for _, name := range []string{"base_url", "api_key", "api_key_file"} {
			value, set := block.Expressions[name]
			if set && (key != "tunnel" || string(value) != `{"constant_value":null}`) {
				fixed = append(fixed, key)
			}
		}
	}
	for _, resource := range p.ResourceChanges {
		changes := !slices.Equal(resource.Change.Actions, []string{"no-op"}) && !slices.Equal(resource.Change.Actions, []string{"read"})
		if changes && !ownOrBuiltIn(resource.ProviderName) {
			others = append(others, resource.ProviderName)
		}
	}
	for _, action := range p.Actions {
		actions = append(actions, action.Address)
	}
	for _, found := range []struct {
		text  string
		names []string
	}{
		{"these provider blocks set an address or key of their own", fixed},
		{"these provisioners run commands", p.Configuration.RootModule.provisioners("")},
		{"it would change objects of", others},
		{"it would run these actions", actions},
	} {
		if len(found.names) > 0 {
			slices.Sort(found.names)
			return refused("%s: %s", found.text, strings.Join(slices.Compact(found.names), ", "))
		}
	}
	return nil
}

// ownOrBuiltIn reports whether changes by a provider stay in the copy.
func ownOrBuiltIn(provider string) bool {
	return strings.HasSuffix(provider, ownProvider) || strings.HasPrefix(provider, "terraform.io/builtin/")
}

// provisioners returns the addresses of the resources of a module with provisioners.
func (m shownModule) provisioners(prefix string) []string {
	var found []string
	for _, resource := range m.Resources {
		if len(resource.Provisioners) > 0 {
			found = append(found, prefix+resource.Address)
		}
	}
	for name, call := range m.ModuleCalls {
		found = append(found, call.Module.provisioners(prefix+"module."+name+".")...)
	}
	return found
}

// defaultWarning is the default of expiry_warning_hours.
const defaultWarning = 720 * time.Hour

// warning returns how long before an end plans warn, if the configuration says so with a
// constant.
func (p *shownPlan) warning() time.Duration {
	var value struct {
		Hours *int64 `json:"constant_value"`
	}
	err := json.Unmarshal(p.Configuration.ProviderConfig["tunnel"].Expressions["expiry_warning_hours"], &value)
	if err != nil || value.Hours == nil {
		return defaultWarning
	}
	return time.Duration(*value.Hours) * time.Hour
}

// event is a line that Terraform prints with -json.
type event struct {
	Type       string `json:"type"`
	Diagnostic struct {
		Severity string `json:"severity"`
		Summary  string `json:"summary"`
		Detail   string `json:"detail"`
		Address  string `json:"address"`
	} `json:"diagnostic"`
	Change struct {
		Resource struct {
			Address string `json:"addr"`
		} `json:"resource"`
		Action string `json:"action"`
	} `json:"change"`
	Hook struct {
		Resource struct {
			Address string `json:"addr"`
		} `json:"resource"`
		Action string `json:"action"`
		ID     string `json:"id_value"`
	} `json:"hook"`
	Changes *changeSummary `json:"changes"`
}

// changeSummary is how many resources an operation changes.
type changeSummary struct {
	Add       int    `json:"add"`
	Change    int    `json:"change"`
	Import    int    `json:"import"`
	Remove    int    `json:"remove"`
	Operation string `json:"operation"`
}

// events runs Terraform with -json and returns what it prints. If it fails without
// an event that says why, that is an error.
func (w *workspace) events(ctx context.Context, arguments ...string) ([]event, error) {
	out, err := w.run(ctx, arguments...)
	all := parseEvents(out)
	if err != nil && !slices.ContainsFunc(all, func(e event) bool { return e.failure() != "" }) {
		return nil, err
	}
	return all, nil
}

// parseEvents returns the events in the output of Terraform with -json.
func parseEvents(out []byte) (all []event) {
	for line := range bytes.Lines(out) {
		var one event
		if json.Unmarshal(line, &one) == nil {
			all = append(all, one)
		}
	}
	return all
}

// failure returns the error in an event, or "".
func (e event) failure() string {
	if e.Type != "diagnostic" || e.Diagnostic.Severity != "error" {
		return ""
	}
	text := e.Diagnostic.Summary
	if e.Diagnostic.Address != "" {
		text += " (" + e.Diagnostic.Address + ")"
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(e.Diagnostic.Detail), "\n"); first != "" {
		text += ": " + first
	}
	return text
}
