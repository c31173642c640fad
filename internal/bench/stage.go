package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// bulkReads names the variable that turns bulk reads off for a run.
const bulkReads = "TUNNELBENCH_BULK_READS"

// A stage is where commands are measured: a service whose latency can be set,
// and folders with a configuration and a state that are in step with it.
type stage struct {
	dir     string
	cli     string
	usage   string // where the metered provider writes what it used
	latency atomic.Int64
	service *testserver.Server
	http    *httptest.Server
}

func newStage(dir string) (*stage, error) {
	s := &stage{dir: dir, cli: filepath.Join(dir, "cli.tfrc"), usage: filepath.Join(dir, "usage.json")}
	root, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	// Terraform starts this very program in the provider's place, which starts
	// the provider and measures it.
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return nil, err
	}
	if err := os.Symlink(self, filepath.Join(bin, providerName)); err != nil {
		return nil, err
	}
	os.Setenv(realProvider, filepath.Join(root, "bin", providerName))
	os.Setenv(usageFile, s.usage)
	text := fmt.Sprintf("provider_installation {\n  dev_overrides { \"tunnel-service/tunnel\" = %q }\n  direct {}\n}\n", bin)
	return s, os.WriteFile(s.cli, []byte(text), 0o600)
}

func (s *stage) close() {
	if s.http != nil {
		s.http.Close()
		s.service.Close()
	}
}

// prepare makes n objects at a fresh service and returns a folder with n
// terraform_data and one with n credentials.
func (s *stage) prepare(n int) (core, own string, err error) {
	return s.prepareLimited(n, n)
}

// prepareLimited is prepare with only so many of the objects existing, the first
// ones, and a service that is started with some options.
func (s *stage) prepareLimited(n, existing int, options ...testserver.Option) (core, own string, err error) {
	s.close()
	s.service = testserver.New(options...)
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Duration(s.latency.Load()))
		s.service.ServeHTTP(w, r)
	}))
	ids := s.service.SeedSSHCredentials(n)
	credentials := make([]map[string]any, n)
	keys := make([]string, n)
	for i, id := range ids {
		object := s.service.Get("/ssh_credentials/" + id)
		object["uri"] = s.http.URL + "/ssh_credentials/" + id
		credentials[i], keys[i] = object, object["public_key"].(string)
		if i >= existing {
			s.service.Delete("/ssh_credentials/" + id)
		}
	}
	core, err = s.folder("core", keys, `resource "terraform_data" "test" {
  count = length(local.keys)
  input = local.keys[count.index]
}
`, `provider["terraform.io/builtin/terraform"]`, "terraform_data", n, func(i int) map[string]any {
		value := map[string]any{"value": keys[i], "type": "string"}
		return map[string]any{"id": ids[i], "input": value, "output": value, "triggers_replace": nil}
	})
	if err != nil {
		return "", "", err
	}
	own, err = s.folder("own", keys, `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
variable "bulk_reads" { default = true }
provider "tunnel" { bulk_reads = var.bulk_reads }
resource "tunnel_ssh_credential" "test" {
  count       = length(local.keys)
  public_key  = local.keys[count.index]
  description = "seeded ${count.index}"
}
`, `provider["registry.terraform.io/tunnel-service/tunnel"]`, "tunnel_ssh_credential", existing, func(i int) map[string]any {
		o := credentials[i]
		return map[string]any{
			"id": o["id"], "uri": o["uri"], "created_at": o["created_at"], "description": o["description"], "metadata": nil,
			"public_key": o["public_key"], "acl": nil, "owner_id": o["owner_id"], "timeouts": nil,
		}
	})
	return core, own, err
}

// folder writes a configuration of one counted resource, and a state in which
// so many of them exist.
func (s *stage) folder(name string, keys []string, configuration, provider, kind string, existing int, attributes func(int) map[string]any) (string, error) {
	dir := filepath.Join(s.dir, name)
	instances := make([]map[string]any, existing)
	for i := range instances {
		instances[i] = map[string]any{"index_key": i, "schema_version": 0, "attributes": attributes(i), "sensitive_attributes": []any{}}
	}
	state := map[string]any{
		"version": 4, "terraform_version": "1.5.0", "serial": 1, "lineage": "00000000-0000-0000-0000-000000000000", "outputs": map[string]any{},
		"resources": []any{map[string]any{"mode": "managed", "type": kind, "name": "test", "provider": provider, "instances": instances}},
	}
	files := map[string]any{"terraform.tfstate": state, "keys.json": keys}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for file, content := range files {
		text, err := json.Marshal(content)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
			return "", err
		}
	}
	configuration = "locals { keys = jsondecode(file(\"${path.module}/keys.json\")) }\n" + configuration
	return dir, os.WriteFile(filepath.Join(dir, "main.tf"), []byte(configuration), 0o600)
}

// A measure is what one command took.
type measure struct {
	wall      float64 // seconds
	terraform float64 // seconds of CPU, the provider's not among them
	provider  float64 // seconds of CPU
	memory    float64 // MiB, the provider's at its most
	requests  int
}

// median runs a command several times, after once to warm up.
func (s *stage) median(ctx context.Context, dir string, arguments []string, runs int) (measure, error) {
	if _, err := s.run(ctx, dir, arguments); err != nil {
		return measure{}, err
	}
	all := make([]measure, runs)
	for i := range all {
		m, err := s.run(ctx, dir, arguments)
		if err != nil {
			return measure{}, err
		}
		all[i] = m
	}
	return middle(all), nil
}

// run runs a command, which must succeed; a plan must find nothing to change.
func (s *stage) run(ctx context.Context, dir string, arguments []string) (measure, error) {
	os.Remove(s.usage)
	s.service.ResetStats()
	cmd := exec.CommandContext(ctx, "terraform", arguments...)
	cmd.Dir = dir
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "TUNNEL_") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	cmd.Env = append(cmd.Env, "TF_VAR_bulk_reads="+cmp.Or(os.Getenv(bulkReads), "true"), "TF_CLI_CONFIG_FILE="+s.cli, "CHECKPOINT_DISABLE=1", "TUNNEL_BASE_URL="+s.http.URL, "TUNNEL_API_KEY="+s.service.AdminKey)
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	wall := time.Since(begun).Seconds()
	if err != nil {
		return measure{}, fmt.Errorf("terraform %s: %w\n%s", strings.Join(arguments, " "), err, out[max(0, len(out)-2000):])
	}
	used, err := readUsage(s.usage)
	if err != nil {
		return measure{}, err
	}
	whole, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return measure{}, errors.New("this system does not tell what a process used")
	}
	return measure{
		wall: wall, terraform: seconds(whole) - used.CPU, provider: used.CPU, memory: float64(used.Memory) / (1 << 20),
		requests: s.service.Stats().Total,
	}, nil
}

// start measures a start of the provider up to the answer of its schema, and
// the size of the program.
func (s *stage) start(ctx context.Context, runs int) error {
	_, own, err := s.prepare(1)
	if err != nil {
		return err
	}
	m, err := s.median(ctx, own, []string{"providers", "schema", "-json"}, runs)
	if err != nil {
		return err
	}
	info, err := os.Stat(os.Getenv(realProvider))
	if err != nil {
		return err
	}
	fmt.Printf("Start of the provider to the answer of its schema: %.0f ms of CPU. Size of the program: %.1f MiB.\n\n", m.provider*1000, float64(info.Size())/(1<<20))
	return nil
}
