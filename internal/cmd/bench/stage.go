package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// A stage is a scene with its service, and a working directory with its state.
type stage struct {
	dir, terraform   string
	provider, hollow string // paths of the programs
	scene            *scene
	service          *testserver.Server
	front            *httptest.Server
	latency          atomic.Int64
}

const head = `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
variable "bulk_reads" { default = true }
provider "tunnel" { bulk_reads = var.bulk_reads }
locals {
  values       = jsondecode(file("${path.module}/values.json"))
  keys         = local.values.keys
  chains       = local.values.chains
  private_keys = local.values.private_keys
}
`

func newStage(ctx context.Context, parent, terraform string, of *scene) (*stage, error) {
	s := &stage{dir: filepath.Join(parent, "scene"), terraform: terraform, scene: of, service: testserver.New()}
	if err := os.RemoveAll(s.dir); err != nil {
		return nil, err
	}
	root, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	s.provider, s.hollow = filepath.Join(root, "bin", providerName), filepath.Join(s.dir, "bin", providerName)
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(s.hollow), 0o755); err != nil {
		return nil, err
	}
	if err := os.Symlink(self, s.hollow); err != nil {
		return nil, err
	}
	s.front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Duration(s.latency.Load()))
		s.service.ServeHTTP(w, r)
	}))
	if err := s.write("main.tf", head+of.configuration); err != nil {
		return nil, err
	}
	values := map[string][]string{"chains": {}, "private_keys": {}}
	add := func(name, value string) { values[name] = append(values[name], value) }
	if of.seeded {
		objects := make([]map[string]any, of.n)
		for i, id := range s.service.SeedSSHCredentials(of.n) {
			objects[i] = s.service.Get("/ssh_credentials/" + id)
			objects[i]["uri"], objects[i]["metadata"], objects[i]["acl"] = s.front.URL+"/ssh_credentials/"+id, nil, []string{}
			add("keys", objects[i]["public_key"].(string))
		}
		state, err := s.state(objects)
		if err != nil {
			return nil, err
		}
		if err := s.write("terraform.tfstate", string(state)); err != nil {
			return nil, err
		}
	} else {
		for i := range 1000 {
			chain, private := testcert.SelfSigned(fmt.Sprintf("www%d.example.com", i))
			public, _ := testcert.SSHKeyPair("bench")
			add("keys", public)
			add("chains", chain)
			add("private_keys", private)
		}
	}
	content, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	if err := s.write("values.json", string(content)); err != nil || of.seeded {
		return s, err
	}
	_, _, err = s.run(ctx, row{command: apply}, false, false)
	return s, err
}

func (s *stage) close() {
	s.service.Close()
	s.front.Close()
}

func (s *stage) write(name, content string) error {
	return os.WriteFile(filepath.Join(s.dir, name), []byte(content), 0o600)
}

// state returns a state with SSH credentials, in the blocks of the configuration.
func (s *stage) state(objects []map[string]any) ([]byte, error) {
	blocks := strings.Count(s.scene.configuration, "resource ")
	size := len(objects) / blocks
	host := cmp.Or(os.Getenv("TF_ACC_PROVIDER_HOST"), "registry.terraform.io")
	resources := make([]map[string]any, blocks)
	for b := range resources {
		instances := make([]map[string]any, size)
		for i := range instances {
			instances[i] = map[string]any{
				"index_key": i, "schema_version": 0, "attributes": objects[b*size+i], "sensitive_attributes": []any{}, // Terraform compares these
			}
		}
		resources[b] = map[string]any{
			"mode": "managed", "type": "tunnel_ssh_credential", "name": fmt.Sprintf("test%d", b),
			"provider": fmt.Sprintf("provider[%q]", host+"/tunnel-service/tunnel"), "instances": instances,
		}
	}
	return json.Marshal(map[string]any{
		"version": 4, "terraform_version": "1.5.0", "serial": 1, "lineage": "00000000-0000-0000-0000-000000000000",
		"outputs": map[string]any{}, "resources": resources,
	})
}

// run runs a command with this provider, or as the floor that it is compared with, and
// returns how many seconds it took.
func (s *stage) run(ctx context.Context, r row, floor, metered bool) (seconds float64, used usage, err error) {
	s.latency.Store(int64(r.latency))
	defer s.latency.Store(0)
	if r.fresh {
		s.service.Reset()
		_ = os.Remove(filepath.Join(s.dir, "terraform.tfstate")) // the first run leaves one
	}
	s.service.ResetStats()
	program, usageFile := s.provider, filepath.Join(s.dir, "usage")
	cmd := exec.CommandContext(ctx, s.terraform, r.command...)
	cmd.Dir = s.dir
	if floor && !r.single {
		program = s.hollow
	}
	if metered { // this program runs the provider and measures it
		cmd.Env = []string{meteredProgram + "=" + program, meteredUsage + "=" + usageFile}
		program = s.hollow
	}
	cli := fmt.Sprintf("provider_installation {\n  dev_overrides { \"tunnel-service/tunnel\" = %q }\n  direct {}\n}\n", filepath.Dir(program))
	if err := s.write("cli.tfrc", cli); err != nil {
		return 0, used, err
	}
	others := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TF_") || strings.HasPrefix(v, "TUNNEL_") })
	cmd.Env = append(append(others, cmd.Env...), "TF_VAR_bulk_reads="+strconv.FormatBool(!floor || !r.single),
		"TF_CLI_CONFIG_FILE="+filepath.Join(s.dir, "cli.tfrc"), "CHECKPOINT_DISABLE=1",
		"TUNNEL_BASE_URL="+s.front.URL, "TUNNEL_API_KEY="+s.service.AdminKey)
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	seconds = time.Since(begun).Seconds()
	if err != nil {
		return 0, used, fmt.Errorf("terraform %s: %w\n%s", strings.Join(r.command, " "), err, out[max(0, len(out)-2000):])
	}
	if metered {
		used, err = readUsage(usageFile)
	}
	used.requests = s.service.Stats().Total
	return seconds, used, err
}
