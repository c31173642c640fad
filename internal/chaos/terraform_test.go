// Package chaos tests the provider under failures. Real Terraform runs the
// provider's binary with a service and a network that lose, corrupt and delay
// responses, and while the provider is killed.
package chaos

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// terraform is a working directory for Terraform and the provider's binary.
type terraform struct {
	*acctest.Terraform
	t      *testing.T
	binary string // path of the provider's binary, which no other test uses
}

// newTerraform returns a working directory with one configuration. Terraform
// and the provider write only to this directory.
func newTerraform(t *testing.T, url, key, configuration string) *terraform {
	t.Helper()
	tf, binary := acctest.Installed(t, configuration)
	tf.Setenv(map[string]string{
		"XDG_CACHE_HOME": filepath.Join(tf.Dir, "cache"), "HOME": tf.Dir, "TUNNEL_BASE_URL": url, "TUNNEL_API_KEY": key,
	})
	return &terraform{tf, t, binary}
}

// summary returns the output of all commands so far, shortened for test
// failures.
func (tf *terraform) summary() string { return acctest.Summary(tf.Output.String()) }

// failure is an error or a warning that a command reported.
type failure struct {
	Address, Summary, Detail string
}

// ids returns the ids of the objects that the error names, or else those in its
// import blocks.
func (f failure) ids() []string {
	var ids []string
	for _, found := range regexp.MustCompile(`\b([a-z]+_[A-Za-z0-9]+) \(created at `).FindAllStringSubmatch(f.Detail, -1) {
		ids = append(ids, found[1])
	}
	if len(ids) > 0 {
		return ids
	}
	for _, found := range regexp.MustCompile(`(?m)^ +id = "([^"]+)"$`).FindAllStringSubmatch(f.Detail, -1) {
		if found[1] != "ID" {
			ids = append(ids, found[1])
		}
	}
	return ids
}

// unknown reports whether the error says that the outcome of a creation is
// unknown.
func (f failure) unknown() bool {
	return strings.HasPrefix(f.Summary, "Could not determine whether the ") && strings.HasSuffix(f.Summary, " was created")
}

// apply runs terraform apply and returns the reported errors.
func (tf *terraform) apply(options ...string) ([]failure, error) {
	tf.t.Helper()
	out, err := tf.Try(tf.t, append([]string{"apply", "-json", "-auto-approve", "-input=false"}, options...)...)
	return failuresIn(out), err
}

// failuresIn returns the errors in the JSON output of a command.
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

// stateObject is one object in a state.
type stateObject struct {
	address string
	values  map[string]any
}

// state returns the objects in the state by API path. It fails the test if two
// resources have the same path.
func (tf *terraform) state() map[string]stateObject {
	tf.t.Helper()
	var state struct {
		Resources []struct {
			Type, Name string
			Instances  []struct {
				Key        any            `json:"index_key"`
				Attributes map[string]any `json:"attributes"`
			}
		}
	}
	text := tf.StateFile(tf.t)
	if err := json.Unmarshal([]byte(text), &state); text != "" && err != nil {
		tf.t.Fatal(err)
	}
	held := map[string]stateObject{}
	for _, resource := range state.Resources {
		for _, instance := range resource.Instances {
			keys := map[string]string{}
			for name, value := range instance.Attributes {
				if text, ok := value.(string); ok {
					keys[name] = text
				}
			}
			address := resource.Type + "." + resource.Name
			if instance.Key != nil {
				address += fmt.Sprintf("[%v]", instance.Key)
			}
			path := acctest.KindOf(tf.t, resource.Type).At(keys)
			if other, twice := held[path]; twice {
				tf.t.Errorf("%s and %s are both %s", other.address, address, path)
			}
			held[path] = stateObject{address, instance.Attributes}
		}
	}
	return held
}

// signal sends a signal to all processes of this directory's provider and
// returns their number.
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
	// Run 8 sequences of each kind by default. The command line can override
	// this.
	if err := flag.Set("rapid.checks", "8"); err != nil {
		panic(err)
	}
	os.Exit(acctest.Main(m))
}
