// Package chaos tests what must hold when everything goes wrong: the provider's
// real binary, run by real Terraform, against a service and a network that lose,
// break and delay answers, and with a provider that is killed.
package chaos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// A terraform is a working directory for Terraform and the provider's binary.
type terraform struct {
	t       *testing.T
	dir     string
	program string
	env     []string
	binary  string // of the provider; no other process has it
	output  bytes.Buffer
}

// newTerraform returns a directory with one configuration. Nothing that the
// provider or Terraform writes goes anywhere else.
func newTerraform(t *testing.T, url, key, configuration string) *terraform {
	t.Helper()
	tf := &terraform{t: t, dir: t.TempDir(), program: acctest.Program(t)}
	tf.binary = filepath.Join(tf.dir, "bin", "terraform-provider-tunnel")
	if err := os.Mkdir(filepath.Dir(tf.binary), 0o700); err != nil {
		t.Fatal(err)
	}
	built := build(t)
	if err := os.Link(built, tf.binary); err != nil {
		content, err := os.ReadFile(built)
		if err != nil {
			t.Fatal(err)
		}
		tf.write("bin/terraform-provider-tunnel", string(content))
		if err := os.Chmod(tf.binary, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	tf.write("terraformrc", fmt.Sprintf("provider_installation {\n  dev_overrides { \"tunnel-service/tunnel\" = %q }\n  direct {}\n}\n", filepath.Dir(tf.binary)))
	tf.write("main.tf", `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
`+configuration)
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); !strings.HasPrefix(name, "TF_") && !strings.HasPrefix(name, "TUNNEL_") {
			tf.env = append(tf.env, variable)
		}
	}
	tf.env = append(tf.env, "TF_CLI_CONFIG_FILE="+filepath.Join(tf.dir, "terraformrc"), "XDG_CACHE_HOME="+filepath.Join(tf.dir, "cache"), "HOME="+tf.dir,
		"TF_INPUT=0", "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1", "TUNNEL_BASE_URL="+url, "TUNNEL_API_KEY="+key)
	return tf
}

func (tf *terraform) write(name, content string) {
	tf.t.Helper()
	if err := os.WriteFile(filepath.Join(tf.dir, name), []byte(content), 0o600); err != nil {
		tf.t.Fatal(err)
	}
}

// command prepares a command, whose output is also kept with all before it.
func (tf *terraform) command(out *bytes.Buffer, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(tf.t.Context(), tf.program, arguments...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Dir, cmd.Env = tf.dir, tf.env
	cmd.Stdout, cmd.Stderr = out, out
	return cmd
}

// try runs a command and returns what it prints.
func (tf *terraform) try(arguments ...string) (string, error) {
	tf.t.Helper()
	var out bytes.Buffer
	err := tf.command(&out, arguments...).Run()
	tf.output.Write(out.Bytes())
	return out.String(), err
}

// read runs a command that must succeed, and keeps nothing of what it prints.
func (tf *terraform) read(arguments ...string) string {
	tf.t.Helper()
	var out bytes.Buffer
	if err := tf.command(&out, arguments...).Run(); err != nil {
		tf.t.Fatalf("terraform %s: %v\n%s", strings.Join(arguments, " "), err, out.String())
	}
	return out.String()
}

// run runs a command that must succeed.
func (tf *terraform) run(arguments ...string) string {
	tf.t.Helper()
	out, err := tf.try(arguments...)
	if err != nil {
		tf.t.Fatalf("terraform %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return out
}

// A failure is an error that a command reported.
type failure struct {
	Address, Summary, Detail string
}

// ids returns the ids that the error shows in import blocks.
func (f failure) ids() []string {
	var ids []string
	for _, found := range regexp.MustCompile(`(?m)^ +id = "([^"]+)"$`).FindAllStringSubmatch(f.Detail, -1) {
		if found[1] != "ID" {
			ids = append(ids, found[1])
		}
	}
	return ids
}

// unknown reports whether the error says that the outcome of a creation is not
// known.
func (f failure) unknown() bool {
	return strings.HasPrefix(f.Summary, "Could not determine whether the ") && strings.HasSuffix(f.Summary, " was created")
}

// apply runs apply or destroy and returns the errors that it reports.
func (tf *terraform) apply(arguments ...string) ([]failure, error) {
	tf.t.Helper()
	out, err := tf.try(append(arguments, "-json", "-auto-approve")...)
	return failuresIn(out), err
}

// failuresIn returns the errors in the output of a command with -json.
func failuresIn(out string) []failure {
	var failures []failure
	for line := range strings.Lines(out) {
		var message struct {
			Diagnostic struct {
				failure
				Severity string
			}
		}
		if json.Unmarshal([]byte(line), &message) == nil && message.Diagnostic.Severity == "error" {
			failures = append(failures, message.Diagnostic.failure)
		}
	}
	return failures
}

// kill ends every process of this directory's provider, as a machine that runs
// out of memory does.
func (tf *terraform) kill() (killed int) { return tf.signal(syscall.SIGKILL) }

// signal sends a signal to every process of this directory's provider, and returns
// how many there are.
func (tf *terraform) signal(signal syscall.Signal) (hit int) {
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		tf.t.Error(err)
	}
	for _, link := range links {
		target, err := os.Readlink(link)
		process, notNumber := strconv.Atoi(filepath.Base(filepath.Dir(link)))
		if err == nil && notNumber == nil && target == tf.binary && syscall.Kill(process, signal) == nil {
			hit++
		}
	}
	return hit
}

var binary struct {
	once sync.Once
	file string
	err  error
}

// build builds the provider, once for all tests.
func build(t *testing.T) string {
	t.Helper()
	binary.once.Do(func() {
		var dir string
		if dir, binary.err = os.MkdirTemp("", "chaos-"); binary.err != nil {
			return
		}
		binary.file = filepath.Join(dir, "terraform-provider-tunnel")
		if out, err := exec.Command("go", "build", "-o", binary.file, "../..").CombinedOutput(); err != nil {
			binary.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if binary.err != nil {
		t.Fatal(binary.err)
	}
	return binary.file
}

func TestMain(m *testing.M) {
	code := m.Run()
	if binary.file != "" {
		os.RemoveAll(filepath.Dir(binary.file))
	}
	os.Exit(code)
}
