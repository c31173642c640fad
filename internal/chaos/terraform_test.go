// Package chaos tests what must hold when everything goes wrong: the provider's
// real binary, run by real Terraform, against a service and a network that lose,
// break and delay answers, and with a provider that is killed.
package chaos

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// A terraform is a working directory for Terraform and the provider's binary.
type terraform struct {
	*acctest.Terraform
	t        *testing.T
	url, key string // of the service
	binary   string // of the provider; no other process has it
}

// newTerraform returns a directory with one configuration. Nothing that the
// provider or Terraform writes goes anywhere else.
func newTerraform(t *testing.T, url, key, configuration string) *terraform {
	t.Helper()
	tf, binary := acctest.Installed(t, configuration)
	tf.Setenv(t, map[string]string{
		"XDG_CACHE_HOME": filepath.Join(tf.Dir, "cache"), "HOME": tf.Dir, "TUNNEL_BASE_URL": url, "TUNNEL_API_KEY": key,
	})
	return &terraform{tf, t, url, key, binary}
}

// summary is the output of all commands so far, as failures show it.
func (tf *terraform) summary() string { return acctest.Summary(tf.Output.String()) }

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

// apply applies and returns the errors that Terraform reports.
func (tf *terraform) apply(options ...tfexec.ApplyOption) ([]failure, error) {
	tf.t.Helper()
	out, err := tf.ApplyJSON(tf.t, options...)
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

func TestMain(m *testing.M) {
	// A dozen sequences of each kind, unless the command line says otherwise.
	if err := flag.Set("rapid.checks", "12"); err != nil {
		panic(err)
	}
	os.Exit(acctest.Main(m))
}
