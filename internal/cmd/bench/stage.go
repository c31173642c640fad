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
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// stage is the environment of a benchmark: a service with adjustable latency,
// and directories with a configuration and a matching state.
type stage struct {
	dir     string
	usage   string // file in which the metered provider writes its usage
	latency atomic.Int64
	service *testserver.Server
	http    *httptest.Server

	provider, hollow string // paths of the programs
	terraform        *tfexec.Terraform
}

func newStage(dir string) (*stage, error) {
	s := &stage{dir: dir, usage: filepath.Join(dir, "usage.json")}
	root, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	// Terraform starts this program instead of the provider. The program then
	// either runs the provider and measures it, or serves the provider that
	// does nothing.
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return nil, err
	}
	s.provider, s.hollow = filepath.Join(root, "bin", providerName), filepath.Join(bin, providerName)
	if err := os.Symlink(self, s.hollow); err != nil {
		return nil, err
	}
	terraform, err := exec.LookPath(cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform"))
	if err != nil {
		return nil, err
	}
	s.terraform, err = tfexec.NewTerraform(dir, terraform)
	return s, err
}

func (s *stage) close() {
	if s.http != nil {
		s.http.Close()
		s.service.Close()
	}
}

// prepare creates n objects at a new service. It returns a directory with n
// terraform_data resources and one with n SSH credentials.
func (s *stage) prepare(n int) (core, own string, err error) {
	return s.prepareLimited(n, n)
}

// prepareLimited is like prepare, but only the first existing objects exist,
// and the service has the given options.
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
	own, err = s.folder("own", keys, providerBlock+`resource "tunnel_ssh_credential" "test" {
  count       = length(local.keys)
  public_key  = local.keys[count.index]
  description = "seeded ${count.index}"
}
`, providerAddress, "tunnel_ssh_credential", existing, func(i int) map[string]any {
		o := credentials[i]
		return map[string]any{
			"id": o["id"], "uri": o["uri"], "created_at": o["created_at"], "description": o["description"], "metadata": nil,
			"public_key": o["public_key"], "acl": []string{}, "owner_id": o["owner_id"],
		}
	})
	return core, own, err
}

// providerAddress is the provider's address in a state.
var providerAddress = fmt.Sprintf(
	"provider[%q]", cmp.Or(os.Getenv("TF_ACC_PROVIDER_HOST"), "registry.terraform.io")+"/tunnel-service/tunnel",
)

const (
	providerBlock = `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
variable "bulk_reads" { default = true }
provider "tunnel" { bulk_reads = var.bulk_reads }
`
)

// folder writes a configuration with one resource that uses count, and a state
// with the given number of existing instances.
func (s *stage) folder(
	name string, keys []string, configuration, provider, kind string, existing int, attributes func(int) map[string]any,
) (string, error) {
	dir := filepath.Join(s.dir, name)
	sensitive := []any{} // Terraform compares these as well
	if kind == "tunnel_tls_certificate" {
		sensitive = append(sensitive, []any{map[string]string{"type": "get_attr", "value": "private_key_pem"}})
	}
	instances := make([]map[string]any, existing)
	for i := range instances {
		instances[i] = map[string]any{"index_key": i, "schema_version": 0, "attributes": attributes(i), "sensitive_attributes": sensitive}
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

// measure is the result of one command.
type measure struct {
	wall     float64 // seconds
	cpu      float64 // seconds of Terraform and the provider
	provider float64 // seconds of the provider, from the warm-up run
	memory   float64 // peak memory of the provider in MiB, from the warm-up run
	requests int
}

// row describes how and in which directory a command runs.
type row struct {
	name    string
	dir     string
	program string // path of the provider
	latency time.Duration
	single  bool   // disables bulk reads
	fresh   bool   // starts without a state
	results string // for the provider that does nothing: a state file with the objects that it creates
}

// medians runs a command for each row in turns, so that other load on the
// machine affects all rows equally. The first turn is a warm-up. Only this turn
// measures the provider, because metering takes time.
func (s *stage) medians(ctx context.Context, rows []row, arguments []string, runs int) ([]measure, error) {
	warm := make([]measure, len(rows))
	all := make([][]measure, len(rows))
	for turn := range runs + 1 {
		for i, row := range rows {
			m, err := s.run(ctx, row, arguments, turn == 0)
			if err != nil {
				return nil, err
			}
			if turn == 0 {
				warm[i] = m
			} else {
				all[i] = append(all[i], m)
			}
		}
	}
	found := make([]measure, len(rows))
	for i := range rows {
		found[i] = middle(all[i])
		found[i].provider, found[i].memory = warm[i].provider, warm[i].memory
	}
	return found, nil
}

// run runs a command. It returns an error if the command fails or a plan has
// changes. It measures the provider only if metered is true.
func (s *stage) run(ctx context.Context, r row, arguments []string, metered bool) (measure, error) {
	s.latency.Store(int64(r.latency))
	defer s.latency.Store(0)
	os.Remove(s.usage)
	if r.fresh {
		os.Remove(filepath.Join(r.dir, "terraform.tfstate"))
	}
	s.service.ResetStats()
	// terraform-exec does not return the resource usage and adds arguments.
	cmd := exec.CommandContext(ctx, s.terraform.ExecPath(), arguments...)
	cmd.Dir = r.dir
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "TUNNEL_") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	program := r.program
	if metered {
		cmd.Env = append(cmd.Env, meteredProgram+"="+program, usageFile+"="+s.usage)
		program = s.hollow // a link to this program
	}
	cli := filepath.Join(s.dir, "cli.tfrc")
	text := fmt.Sprintf("provider_installation {\n  dev_overrides { \"tunnel-service/tunnel\" = %q }\n  direct {}\n}\n", filepath.Dir(program))
	if err := os.WriteFile(cli, []byte(text), 0o600); err != nil {
		return measure{}, err
	}
	cmd.Env = append(cmd.Env, "TF_VAR_bulk_reads="+strconv.FormatBool(!r.single), "TF_CLI_CONFIG_FILE="+cli, "CHECKPOINT_DISABLE=1",
		"TUNNEL_BASE_URL="+s.http.URL, "TUNNEL_API_KEY="+s.service.AdminKey, resultsFile+"="+r.results)
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
		return measure{}, errors.New("this system does not report the resource usage of a process")
	}
	return measure{
		wall: wall, cpu: seconds(whole), provider: used.CPU, memory: float64(used.Memory) / (1 << 20), requests: s.service.Stats().Total,
	}, nil
}

// start measures the start of the provider, by itself and until it returns its
// schema, and the size of the program.
func (s *stage) start(ctx context.Context, runs int) error {
	_, own, err := s.prepare(1)
	if err != nil {
		return err
	}
	found, err := s.medians(ctx, []row{{dir: own, program: s.provider}}, []string{"providers", "schema", "-json"}, runs)
	if err != nil {
		return err
	}
	alone := make([]measure, runs)
	for i := range alone {
		cmd := exec.CommandContext(ctx, s.provider, "-version")
		if err := cmd.Run(); err != nil {
			return err
		}
		alone[i].cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	info, err := os.Stat(s.provider)
	if err != nil {
		return err
	}
	fmt.Printf("Provider start: %.0f ms of CPU until the version, %.0f ms until the schema response. Size of the binary: %.1f MiB.\n\n",
		middle(alone).cpu*1000, found[0].provider*1000, float64(info.Size())/(1<<20))
	return nil
}
