package docs

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// binaries is the directory of the programs that the tests build.
var binaries string

// testServer builds the command of the test server, and returns its directory.
var testServer = built("../..", "./testserver/cmd/tunnel-testserver")

// rego builds the program that evaluates gate.rego, and returns its directory.
var rego = built("../../tools/rego", ".")

// built returns what builds a program of a module once.
func built(module, program string) func() (dir string, err error) {
	return sync.OnceValues(func() (string, error) {
		out, err := exec.Command("go", "build", "-C", module, "-o", binaries, program).CombinedOutput()
		if err != nil {
			os.Stderr.Write(out)
		}
		return binaries, err
	})
}

// copying returns Terraform that installs the provider from a mirror, and a PATH with
// the test server.
func copying(t *testing.T, w *acctest.Env) (tf *acctest.Terraform, search string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("explore needs Linux")
	}
	bin, err := testServer()
	if err != nil {
		t.Fatal(err)
	}
	tf = mirrored(t, w)
	return tf, "PATH=" + bin + string(os.PathListSeparator) + acctest.ShellPath(t)
}

// copyCommands are the commands that run Terraform on a copy of an account and a folder.
var copyCommands = map[string]string{
	"rehearse": "tunnel-testserver rehearse -- terraform",
	"explore":  "tunnel-testserver explore -only 500 -sample 1 -- terraform apply -auto-approve -input=false",
	"calendar": "tunnel-testserver calendar -days 1 -- terraform",
	"traffic":  "tunnel-testserver traffic -runs 1 -- terraform apply",
}

const copiedConfig = `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
resource "tunnel_reserved_address" "new" {}
`

func errorCode(err error) int {
	if failed, ok := err.(*exec.ExitError); ok { //nolint:errorlint // Shell does not wrap it
		return failed.ExitCode()
	}
	return 0
}

// expectCopied runs a command in a folder that is to stay as it is, as is the service.
func expectCopied(t *testing.T, w *acctest.Env, tf *acctest.Terraform, command string, code int, want string, environment ...string) {
	t.Helper()
	w.ResetStats()
	before := files(t, tf.Dir)
	out, err := tf.Shell(t, command, environment...)
	if errorCode(err) != code || !acctest.InError(want).MatchString(out) {
		t.Errorf("exit code %d, want %d and %q:\n%s", errorCode(err), code, want, acctest.Summary(out))
	}
	for endpoint := range w.Stats().Requests {
		if !strings.HasPrefix(endpoint, "GET ") {
			t.Errorf("the service got %s", endpoint)
		}
	}
	if after := files(t, tf.Dir); !slices.Equal(after, before) {
		t.Errorf("the folder has %v, before %v", after, before)
	}
	if left, _ := filepath.Glob(tf.Dir + ".rehearsal-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestAccCopy_reachesNothingElse has variables, files, links and providers that lead out
// of a copy. One place decides about them for all commands, so each situation is tried
// with one of them, and one of each kind with all.
func TestAccCopy_reachesNothingElse(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, search := copying(t, w)
	tf.Write(t, "main.tf", copiedConfig)
	tf.Init(t)
	elsewhere := t.TempDir()
	at := func(name string) string { return filepath.Join(elsewhere, name) }
	write := func(name, content string) {
		t.Helper()
		err := os.MkdirAll(filepath.Dir(at(name)), 0o700)
		if err == nil {
			err = os.WriteFile(at(name), []byte(content), 0o700) //nolint:gosec // a program
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// A provider that writes to the service, whatever its environment says.
	service := []string{"TUNNEL_BASE_URL=" + w.URL, "TUNNEL_API_KEY=" + w.AdminKey}
	mirror := regexp.MustCompile(`path = "(.*)"`).FindStringSubmatch(tf.Read(t, "terraformrc"))[1]
	program := filepath.Join(mirror, filepath.FromSlash(acctest.ProviderAddress()), "0.1.0", "linux_"+runtime.GOARCH, "terraform-provider-tunnel_v0.1.0")
	write("other/terraform-provider-tunnel", "#!/bin/sh\n"+strings.Join(service, " ")+" exec "+program+"\n")
	write("own/x", "")
	if err := os.Link(program, at("own/terraform-provider-tunnel")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"own", "other"} {
		block := fmt.Sprintf("provider_installation {\n  dev_overrides { \"tunnel-service/tunnel\" = %q }\n", at(name))
		write(name+".rc", strings.Replace(tf.Read(t, "terraformrc"), "provider_installation {\n", block, 1))
		write(name+"-only.rc", block+"  filesystem_mirror { path = \""+at("none")+"\" }\n}\n")
	}
	provider := func(members string) string {
		return "provider \"tunnel\" {\n" + members + "  base_url = \"" + w.URL + "\"\n  api_key = \"" + w.AdminKey + "\"\n}\n"
	}
	provisioner := "  provisioner \"local-exec\" {\n    command = \"touch " + at("ran") + "\"\n  }\n}\n"
	written := map[string]string{} // links out of the folder under the names of everything that is written into a copy
	for _, name := range []string{
		"rehearsal.plan", "again.plan", "terraform.tfstate.backup", "errored.tfstate", ".terraform.tfstate.lock.info", "zzz_rehearsal_override.tf",
	} {
		write("links/"+name, "# outside")
		written[name] = at("links/" + name)
	}
	for name, test := range map[string]struct {
		files, links map[string]string
		environment  []string
		all          bool
		code         int
		want         string
	}{
		"own build":           {environment: []string{"TF_CLI_CONFIG_FILE=" + at("own.rc")}},
		"only own build":      {environment: []string{"TF_CLI_CONFIG_FILE=" + at("own-only.rc")}, code: 1, want: "put the build into a mirror instead"},
		"other program":       {environment: []string{"TF_CLI_CONFIG_FILE=" + at("other.rc")}, code: 3, want: "sent no request to the copy", all: true},
		"attached provider":   {environment: []string{"TF_REATTACH_PROVIDERS=" + attached(t, program, service)}, all: true},
		"files elsewhere":     {environment: []string{"TF_PLUGIN_CACHE_DIR=" + at("cache"), "TF_CLI_ARGS_init=-plugin-dir=" + at("plugins")}},
		"another state":       {environment: []string{"TF_CLI_ARGS_apply=-state=" + at("state")}, all: true},
		"options of plan":     {environment: []string{"TF_CLI_ARGS_plan=-destroy"}, code: 3, want: "TF_CLI_ARGS_plan is set"},
		"another workspace":   {environment: []string{"TF_WORKSPACE=other"}, code: 3, want: `the workspace "other" is selected`},
		"the real service":    {environment: []string{"TUNNEL_API_KEY_FILE=" + at("key"), "TUNNEL_CA_CERTIFICATE=x"}},
		"a program to start":  {environment: []string{"BASH_ENV=" + at("start"), "ENV=" + at("start"), "LD_PRELOAD=" + at("start")}},
		"another block":       {files: map[string]string{"more.tf": provider("  alias = \"other\"\n") + "resource \"tunnel_tcp_edge\" \"new\" { provider = tunnel.other }\n"}, code: 3, want: "address or key of its own: tunnel.other"},
		"later override":      {files: map[string]string{"more.tf": "provider \"tunnel\" {}\n", "zzzz_override.tf": "provider \"tunnel\" { base_url = \"" + w.URL + "\" }\n"}, code: 3, want: `merges the override file "zzzz_override.tf" last`, all: true},
		"earlier override":    {files: map[string]string{"more.tf": "provider \"tunnel\" {}\n", "x_override.tf.json": `{"provider": {"tunnel": {"base_url": "` + w.URL + `"}}}`}},
		"removed provisioner": {files: map[string]string{"more.tf": "removed {\n  from = terraform_data.gone\n  lifecycle { destroy = true }\n" + strings.Replace(provisioner, "{\n", "{\n    when = destroy\n", 1)}, code: 3, want: `a provisioner in "more.tf" would run a command`, all: true},
		"merged provisioner":  {files: map[string]string{"more.tf": "resource \"terraform_data\" \"x\" {}\n", "x_override.tf": "resource \"terraform_data\" \"x\" {\n" + provisioner}, code: 3, want: `a provisioner in "x_override.tf" would run a command`},
		"links to files":      {links: written, all: true},
		"link to a folder":    {links: map[string]string{"x": elsewhere}, code: 3, want: `"x" is a link to a folder`},
		"link to nothing":     {links: map[string]string{"x": at("none")}, code: 3, want: `"x" is a link to a folder or to nothing`},
		"link inside":         {files: map[string]string{"m/main.tf": "resource \"terraform_data\" \"inside\" {}\n"}, links: map[string]string{"linked": "m"}, code: 3, want: `"linked" is a link to a folder`},
	} {
		for file, content := range test.files {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(tf.Dir, file)), 0o700); err != nil {
				t.Fatal(err)
			}
			tf.Write(t, file, content)
		}
		for link, target := range test.links {
			if err := os.Symlink(target, filepath.Join(tf.Dir, link)); err != nil {
				t.Fatal(err)
			}
		}
		for _, command := range slices.Sorted(maps.Keys(copyCommands)) {
			if command != "rehearse" && !test.all {
				continue
			}
			t.Run(name+" "+command, func(t *testing.T) {
				before, code, want := contents(t, elsewhere), test.code, test.want
				if name == "only own build" && tf.Supports(t, acctest.InitWithOwnBuild) {
					code, want = 0, ""
				}
				if name == "other program" && command == "calendar" { // the clock of the service is another one, except in the same second
					want = "not rehearsed, because the provider"
				}
				expectCopied(t, w, tf, copyCommands[command], code, want, append(test.environment, search)...)
				after := contents(t, elsewhere)
				for _, name := range slices.AppendSeq(slices.Collect(maps.Keys(before)), maps.Keys(after)) {
					if before[name] != after[name] {
						t.Errorf("%s is now %q, and was %q", name, after[name], before[name])
					}
				}
			})
		}
		for _, made := range []map[string]string{test.files, test.links} {
			for file := range made {
				os.Remove(filepath.Join(tf.Dir, file))
			}
		}
	}
}

// attached starts a provider of its own, and returns the value of TF_REATTACH_PROVIDERS.
func attached(t *testing.T, program string, environment []string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "-debug")
	cmd.Env = append(os.Environ(), environment...)
	printed, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() })
	for lines := bufio.NewScanner(printed); lines.Scan(); {
		if _, value, found := strings.Cut(lines.Text(), "TF_REATTACH_PROVIDERS='"); found {
			return strings.TrimSuffix(value, "'")
		}
	}
	t.Fatal("the provider does not say how to attach it")
	return ""
}

// contents returns the beginning of all files of a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range files(t, dir) {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = fmt.Sprintf("%d bytes: %.300s", len(content), content)
	}
	return all
}

// TestAccCopy_providerOnlyInModules has a root module that leaves the provider to its
// module. Everything that works on a copy of the configuration works with it.
func TestAccCopy_providerOnlyInModules(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, search := copying(t, w)
	if err := os.Mkdir(filepath.Join(tf.Dir, "m"), 0o700); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "m/main.tf", copiedConfig)
	for name, root := range map[string]string{
		"no provider": "",
		"another provider": `terraform {
  required_providers {
    other = { source = "terraform.io/builtin/terraform" }
  }
}
resource "terraform_data" "kept" {
  provider = other
}
`,
		"the same provider": `terraform {
  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1"
    }
  }
}
`,
	} {
		tf.Write(t, "main.tf", root+"module \"m\" {\n  source = \"./m\"\n}\n")
		if out, err := tf.Shell(t, "terraform init -input=false"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for command, want := range map[string]string{
			"rehearse": "added, 0 changed, 0 destroyed", "explore": "1 interruption of a run with", "calendar": "module.m.tunnel_reserved_address.new",
			"traffic": "runs: 1, opened: 0",
		} {
			t.Run(name+" "+command, func(t *testing.T) {
				expectCopied(t, w, tf, copyCommands[command], 0, want, search, "TUNNEL_API_KEY="+w.ReadOnlyKey)
			})
		}
	}
}
