package docs

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// copyCommands are the commands that run Terraform on a copy of an account and a folder.
var copyCommands = map[string]string{
	"rehearse": "sh rehearse.sh",
	"explore":  "tunnel-testserver explore -only 500 -sample 1 -- terraform apply",
	"calendar": "tunnel-testserver calendar -days 1 -- terraform",
}

const copiedConfig = `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
resource "tunnel_reserved_address" "new" {}
`

// copied returns an initialized folder with a change to rehearse, and a function that
// runs a command of copyCommands in it. The service gets only reads, and the folder stays
// as it is.
func copied(t *testing.T) (tf *acctest.Terraform, w *acctest.Env, run func(t *testing.T, command string, environment ...string) (out string, code int)) {
	t.Helper()
	w = acctest.Start(t)
	tf, search := explorer(t, w)
	tf.Write(t, "rehearse.sh", read(t, "guides/rehearsal/rehearse.sh"))
	tf.Write(t, "main.tf", copiedConfig)
	tf.Init(t)
	return tf, w, func(t *testing.T, command string, environment ...string) (string, int) {
		t.Helper()
		before := files(t, tf.Dir)
		out, err := tf.Shell(t, copyCommands[command], append([]string{search}, environment...)...)
		code, _ := errorCode(err)
		for endpoint := range w.Stats().Requests {
			if !strings.HasPrefix(endpoint, "GET ") {
				t.Errorf("the service got %s", endpoint)
			}
		}
		w.ResetStats()
		if after := files(t, tf.Dir); strings.Join(after, " ") != strings.Join(before, " ") {
			t.Errorf("the folder has %v, before %v", after, before)
		}
		if left, _ := filepath.Glob(tf.Dir + ".rehearsal-*"); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		return out, code
	}
}

// TestAccCopy_environment sets variables that name another provider, state or service.
func TestAccCopy_environment(t *testing.T) {
	t.Parallel()
	tf, w, run := copied(t)
	mirror := regexp.MustCompile(`path = "(.*)"`).FindStringSubmatch(tf.Read(t, "terraformrc"))[1]
	program := filepath.Join(mirror, filepath.FromSlash(acctest.ProviderAddress()), "0.1.0", "linux_amd64", "terraform-provider-tunnel_v0.1.0")
	service := []string{"TUNNEL_BASE_URL=" + w.URL, "TUNNEL_API_KEY=" + w.AdminKey}
	elsewhere := t.TempDir()
	at := func(name string) string { return filepath.Join(elsewhere, name) }
	write := func(name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(content), 0o700); err != nil { //nolint:gosec // a program
			t.Fatal(err)
		}
	}
	// A provider that writes to the service, whatever its environment says.
	write("bin/terraform-provider-tunnel", "#!/bin/sh\n"+strings.Join(service, " ")+" exec "+program+"\n")
	overridden := func(dir string) string {
		block := fmt.Sprintf("provider_installation {\n  dev_overrides { \"tunnel-service/tunnel\" = %q }\n", dir)
		return strings.Replace(tf.Read(t, "terraformrc"), "provider_installation {\n", block, 1)
	}
	write("own", overridden(at("build")))
	write("other", overridden(at("bin")))
	write("build/x", "")
	if err := os.Link(program, at("build/terraform-provider-tunnel")); err != nil {
		t.Fatal(err)
	}
	attached := exec.CommandContext(t.Context(), program, "-debug")
	attached.Env = append(os.Environ(), service...)
	printed, err := attached.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := attached.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = attached.Process.Signal(os.Interrupt); _ = attached.Wait() })
	reattach := ""
	for lines := bufio.NewScanner(printed); reattach == "" && lines.Scan(); {
		if _, value, found := strings.Cut(lines.Text(), "TF_REATTACH_PROVIDERS='"); found {
			reattach = strings.TrimSuffix(value, "'")
		}
	}
	write("main.tf", "resource \"terraform_data\" \"x\" {\n  provisioner \"local-exec\" {\n    command = \"touch "+at("ran")+"\"\n  }\n}\n")
	for name, test := range map[string]struct {
		environment []string
		want        string // in the message of a refusal; empty if the command works
	}{
		"attached provider":  {[]string{"TF_REATTACH_PROVIDERS=" + reattach}, ""},
		"own build":          {[]string{"TF_CLI_CONFIG_FILE=" + at("own")}, ""},
		"other program":      {[]string{"TF_CLI_CONFIG_FILE=" + at("other")}, "sent no request to the copy"},
		"plugins elsewhere":  {[]string{"TF_CLI_ARGS_init=-plugin-dir=" + at("plugins")}, ""},
		"plugin cache":       {[]string{"TF_PLUGIN_CACHE_DIR=" + at("cache")}, ""},
		"another folder":     {[]string{"TF_CLI_ARGS_apply=-chdir=" + elsewhere}, ""},
		"another state":      {[]string{"TF_CLI_ARGS_apply=-state=" + at("state")}, ""},
		"options of plan":    {[]string{"TF_CLI_ARGS_plan=-destroy"}, "TF_CLI_ARGS_plan is set"},
		"options of all":     {[]string{"TF_CLI_ARGS=-state=" + at("state")}, "TF_CLI_ARGS is set"},
		"another workspace":  {[]string{"TF_WORKSPACE=other"}, `the workspace "other" is selected`},
		"data directory":     {[]string{"TF_DATA_DIR=" + at("data")}, ""},
		"the real service":   {[]string{"TUNNEL_API_KEY_FILE=" + at("key"), "TUNNEL_CA_CERTIFICATE=x"}, ""},
		"a program to start": {[]string{"BASH_ENV=" + at("start"), "ENV=" + at("start"), "LD_PRELOAD=" + at("start")}, ""},
	} {
		for command := range copyCommands {
			t.Run(name+" "+command, func(t *testing.T) {
				if name == "data directory" {
					if out, err := tf.Shell(t, "terraform init -input=false", test.environment...); err != nil {
						t.Fatalf("%v\n%s", err, out)
					}
				}
				before := files(t, elsewhere)
				out, code := run(t, command, test.environment...)
				want := test.want
				if name == "other program" && command == "calendar" { // the clock of the service is another one, except in the same second
					want = "not rehearsed, because the provider"
				}
				if wanted := map[bool]int{true: 3}[want != ""]; code != wanted || !acctest.InError(want).MatchString(out) {
					t.Errorf("exit code %d, want %d and %q:\n%s", code, wanted, want, acctest.Summary(out))
				}
				if after := files(t, elsewhere); strings.Join(after, " ") != strings.Join(before, " ") {
					t.Errorf("written elsewhere: %v, before %v", after, before)
				}
			})
		}
	}
}

// TestAccCopy_provisioners has provisioners where a plan does not show them, and where
// it does. None runs.
func TestAccCopy_provisioners(t *testing.T) {
	t.Parallel()
	tf, _, run := copied(t)
	ran := filepath.Join(t.TempDir(), "ran")
	const inJSON = `{"resource": {"terraform_data": {"x": {"provision\u0065r": [{"local-exec": {"command": "touch %s"}}]}}}}`
	removed := "removed {\n  from = terraform_data.gone\n  lifecycle { destroy = true }\n  provisioner \"local-exec\" {\n    when = destroy\n    command = \"touch " + ran + "\"\n  }\n}\n"
	tf.Write(t, "main.tf", copiedConfig+"resource \"terraform_data\" \"gone\" {}\nmodule \"m\" { source = \"./m\" }\n")
	if err := os.MkdirAll(filepath.Join(tf.Dir, "m", "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "m/main.tf", "module \"sub\" { source = \"./sub\" }\n")
	tf.Write(t, "m/sub/main.tf", "resource \"terraform_data\" \"gone\" {}\n")
	if out, err := tf.Shell(t, "terraform init -input=false && terraform apply -input=false -auto-approve -target=terraform_data.gone -target=module.m"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	state := tf.Read(t, "terraform.tfstate")
	const gone = "module \"m\" { source = \"./m\" }\n"
	for name, test := range map[string]struct{ main, sub, extra, more, want string }{
		"removed":       {main: gone + removed, want: `"main.tf"`},
		"removed, JSON": {main: gone, more: fmt.Sprintf(`{"removed": [{"from": "terraform_data.gone", "lifecycle": {"destroy": true}, "provisioner": [{"local-exec": {"when": "destroy", "command": "touch %s"}}]}], "removed": []}`, ran), want: `"more.tf.json"`},
		"JSON":          {main: gone, more: fmt.Sprintf(inJSON, ran), want: `"more.tf.json"`},
		"in a module":   {main: gone, sub: removed, want: `"m.sub/main.tf"`},
		"override":      {main: gone + "resource \"terraform_data\" \"x\" {}\n", extra: "resource \"terraform_data\" \"x\" {\n  provisioner \"local-exec\" {\n    command = \"touch " + ran + "\"\n  }\n}\n", want: `"x_override.tf"`},
		"none":          {main: gone + "removed {\n  from = terraform_data.gone\n  lifecycle { destroy = true }\n}\n# provisioner\nlocals { provisioner = 1 }\n"},
	} {
		tf.Write(t, "main.tf", copiedConfig+test.main)
		tf.Write(t, "m/sub/main.tf", test.sub)
		for file, content := range map[string]string{"more.tf.json": test.more, "x_override.tf": test.extra} {
			os.Remove(filepath.Join(tf.Dir, file))
			if content != "" {
				tf.Write(t, file, content)
			}
		}
		for command := range copyCommands {
			t.Run(name+" "+command, func(t *testing.T) {
				out, code := run(t, command)
				wanted, want := 0, ""
				if test.want != "" {
					wanted, want = 3, "a provisioner in "+test.want+" would run a command"
				}
				if code != wanted || !acctest.InError(want).MatchString(out) {
					t.Errorf("exit code %d, want %d and %q:\n%s", code, wanted, want, acctest.Summary(out))
				}
				if _, err := os.Stat(ran); err == nil {
					t.Error("a provisioner ran")
					os.Remove(ran)
				}
			})
		}
	}
	if tf.Read(t, "terraform.tfstate") != state {
		t.Error("the state has changed")
	}
}

// TestAccCopy_links has links out of the folder under the names of everything that is
// written into a copy.
func TestAccCopy_links(t *testing.T) {
	t.Parallel()
	tf, _, run := copied(t)
	outside := t.TempDir()
	names := []string{
		"rehearsal.plan", "again.plan", "rehearsal.json", "rehearsal.sh", "rehearsal.state", "account.json", "init.log", "terraform.tfstate.backup",
		"errored.tfstate", ".terraform.tfstate.lock.info", ".terraform.lock.hcl", "zzz_rehearsal_override.tf", "crash.log", "terraform.tfvars",
	}
	for _, name := range names {
		content := "outside"
		if name == ".terraform.lock.hcl" {
			content = tf.Read(t, name)
			os.Remove(filepath.Join(tf.Dir, name))
		} else if name == "terraform.tfvars" || strings.HasSuffix(name, ".tf") {
			content = "# outside"
		}
		if err := os.WriteFile(filepath.Join(outside, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(outside, name), filepath.Join(tf.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(tf.Dir, "m"), 0o700); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "m/main.tf", "resource \"terraform_data\" \"inside\" {}\n")
	tf.Write(t, "linked.tf", "module \"m\" { source = \"./linked\" }\n")
	if out, err := tf.Shell(t, "ln -s m linked && terraform init -input=false"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	contents := func() string {
		all := ""
		for _, name := range files(t, outside) {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all += name + ": " + string(content) + "\n"
		}
		return all
	}
	before := contents()
	for command := range copyCommands {
		t.Run(command, func(t *testing.T) {
			if out, code := run(t, command); code != 0 {
				t.Errorf("exit code %d:\n%s", code, acctest.Summary(out))
			}
			if after := contents(); after != before {
				t.Errorf("outside of the folder, there is\n%s\nbefore\n%s", after, before)
			}
		})
	}
	for name, target := range map[string]string{"to a folder": outside, "to nothing": filepath.Join(outside, "none"), "up": ".."} {
		link := filepath.Join(tf.Dir, "x")
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		for command := range copyCommands {
			t.Run(name+" "+command, func(t *testing.T) {
				const want = `"x" is a link to nothing, or to a folder outside of this one`
				if out, code := run(t, command); code != 3 || !acctest.InError(want).MatchString(out) {
					t.Errorf("exit code %d, want 3 and %q:\n%s", code, want, acctest.Summary(out))
				}
			})
		}
		os.Remove(link)
	}
}
