package copy

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPlan_provisioners looks into the files of plans. What cannot be decided is refused.
func TestPlan_provisioners(t *testing.T) {
	t.Parallel()
	const block = "resource \"a\" \"b\" {\n  x {\n    provisioner \"local-exec\" {}\n  }\n}\n"
	for name, test := range map[string]struct {
		file, content string
		want          string // in the message; empty if the plan passes
	}{
		"none":           {"m-/main.tf", "# provisioner \"local-exec\" {}\nlocals {\n  provisioner = \"provisioner\"\n}\n", ""},
		"nested":         {"m-/main.tf", block, `provisioner in "main.tf"`},
		"OpenTofu":       {"m-/main.tofu", block, `provisioner in "main.tofu"`},
		"JSON":           {"m-/main.tf.json", `{"resource": {"a": {"b": {}}}}`, ""},
		"JSON, twice":    {"m-/main.tf.json", `{"removed": {"provisioner": {}}, "removed": {}}`, `provisioner in "main.tf.json"`},
		"JSON, escaped":  {"m-/main.tofu.json", `{"removed": [[{"provision\u0065r": {}}]]}`, `provisioner in "main.tofu.json"`},
		"invalid":        {"m-/main.tf", "resource {", `"main.tf" cannot be checked`},
		"invalid JSON":   {"m-/main.tf.json", `{"a": ]`, `"main.tf.json" cannot be checked`},
		"another layout": {"root/main.tf", block, "no configuration that can be checked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := filepath.Join(t.TempDir(), "plan")
			file, err := os.Create(plan)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			archive := zip.NewWriter(file)
			content, err := archive.Create("tfconfig/" + test.file)
			if err == nil {
				_, err = content.Write([]byte(test.content))
			}
			if err = errors.Join(err, archive.Close()); err != nil {
				t.Fatal(err)
			}
			expectRefused(t, checkProvisioners(plan), test.want)
		})
	}
	encrypted := filepath.Join(t.TempDir(), "plan")
	if err := os.WriteFile(encrypted, []byte("not a zip file"), 0o600); err != nil {
		t.Fatal(err)
	}
	expectRefused(t, checkProvisioners(encrypted), "cannot be checked for provisioners")
}

// expectRefused expects an error that says that nothing runs, or none if want is empty.
func expectRefused(t *testing.T, err error, want string) {
	t.Helper()
	if refusal, ok := errors.AsType[Refused](err); ok != (want != "") || !strings.Contains(string(refusal), want) || err != nil && !ok {
		t.Errorf("expected %q, found %v", want, err)
	}
}

func TestPlan_options(t *testing.T) {
	t.Parallel()
	for option, want := range map[string]string{
		"-var=a=b": "", "--var-file=prod.tfvars": "", "-target=module.a": "", "-no-color": "", "-lock-timeout=1s": "",
		"-destroy": "-destroy", "-state=x": "-state=x", "-out=x": "-out=x", "-auto-approve=false": "needs no approval", "-var": "-var", "file": "file",
		"-chdir=..": "-chdir=..", "-generate-config-out=x.tf": "-generate-config-out", "-no-color=false": "-no-color=false", "-input=true": "-input=true",
	} {
		options, err := planOptions([]string{"apply", "-auto-approve", "-input=false", "-compact-warnings", option})
		expectRefused(t, err, want)
		if err == nil && !slices.Equal(options, []string{"-compact-warnings", option}) {
			t.Errorf("%s becomes %q", option, options)
		}
	}
}

// TestEnvironment_passesOn sets variables that must pass, and others that must not.
func TestEnvironment_passesOn(t *testing.T) {
	allowed := []string{"TF_VAR_release", "TF_TOKEN_app_example_com", "TF_CLI_CONFIG_FILE", "https_proxy", "AWS_PROFILE", "LC_ALL"}
	for _, name := range slices.Concat(allowed, []string{
		"TF_REATTACH_PROVIDERS", "TF_CLI_ARGS_apply", "TF_PLUGIN_CACHE_DIR", "TF_DATA_DIR", "TF_WORKSPACE", "TF_LOG_PATH", "TF_ENCRYPTION",
		"TUNNEL_BASE_URL", "TUNNEL_API_KEY", "TUNNEL_API_KEY_FILE", "TUNNEL_CLIENT_KEY", "GIT_DIR", "LD_PRELOAD", "BASH_ENV", "OTHER_SECRET",
	}) {
		t.Setenv(name, "set by the test")
	}
	var passed []string
	for _, variable := range environment() {
		if name, found := strings.CutSuffix(variable, "=set by the test"); found {
			passed = append(passed, name)
		}
	}
	slices.Sort(passed)
	slices.Sort(allowed)
	if !slices.Equal(passed, allowed) {
		t.Errorf("expected %v, found %v", allowed, passed)
	}
}

const state = `{"resources":[
  {"mode":"data","type":"tunnel_tls_edge","name":"other","instances":[{"attributes":{"id":"foreign"}}]},
  {"mode":"managed","type":"tunnel_tls_edge","name":"web","instances":[{"attributes":{"id":"edge"}}]},
  {"mode":"managed","type":"tunnel_tls_edge_backend","name":"web","instances":[{"attributes":{"edge_id":"edge"}}]},
  {"module":"module.m[\"a\"]","mode":"managed","type":"tunnel_tls_edge","name":"two","instances":[{"index_key":"k","attributes":{"id":"two"}},{"index_key":1,"attributes":{"id":"three"}}]}]}`

func TestState_addresses(t *testing.T) {
	t.Parallel()
	got, err := addressesIn([]byte(state))
	if err != nil || len(got) != 4 || got["edge"] != "tunnel_tls_edge.web" || got["edge/backend"] != "tunnel_tls_edge_backend.web" ||
		got["two"] != `module.m["a"].tunnel_tls_edge.two["k"]` || got["three"] != `module.m["a"].tunnel_tls_edge.two[1]` {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := addressesIn([]byte(state[:40])); err == nil {
		t.Error("half a state has no error")
	}
}
