package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

var testServerDir string // empty if the test server was not built

// testServer builds the command of the test server, and returns its directory.
var testServer = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tunnel-rehearsal-")
	if err != nil {
		return "", err
	}
	testServerDir = dir
	out, err := exec.Command("go", "build", "-o", dir, "../../testserver/cmd/tunnel-testserver").CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return dir, err
})

// TestAccRehearsal_findsWhatAPlanDoesNot applies a configuration, and rehearses
// changes of it whose plans are clean.
func TestAccRehearsal_findsWhatAPlanDoesNot(t *testing.T) {
	t.Parallel()
	bin, err := testServer()
	if err != nil {
		t.Fatal(err)
	}
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "taken")
	w.Create("/ssh_credentials", `{"public_key": "`+key+`"}`)
	const base = `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
resource "tunnel_group_backend" "web" {
  labels = { app = "web" }
}
resource "tunnel_tls_edge" "web" {}
resource "tunnel_reserved_domain" "www" {
  domain = "www.example.com"
}
resource "tunnel_https_edge" "www" {
  hostports = ["${tunnel_reserved_domain.www.domain}:443"]
}
`
	const before = base + `resource "tunnel_failover_backend" "web" {
  backends = [tunnel_group_backend.web.id]
}
resource "tunnel_tls_edge_backend" "web" {
  edge_id    = tunnel_tls_edge.web.id
  backend_id = tunnel_failover_backend.web.id
}
`
	pointed := base + "resource \"tunnel_tls_edge_backend\" \"web\" {\n  edge_id = tunnel_tls_edge.web.id\n  backend_id = tunnel_group_backend.web.id\n}\n"
	tf := mirrored(t, w)
	tf.Write(t, "main.tf", before)
	tf.Write(t, "rehearse.sh", read(t, "guides/rehearsal/rehearse.sh"))
	if out, err := tf.Shell(t, "terraform init -input=false && terraform apply -auto-approve -input=false"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Files that Terraform merges after the one of the rehearsal.
	overrides := map[string]string{
		"later override": "provider \"tunnel\" {\n  base_url = \"" + w.URL + "\"\n  api_key  = \"" + w.AdminKey + "\"\n}\n",
	}
	account, state := w.Export(), tf.Read(t, "terraform.tfstate")
	w.ResetStats()
	rehearse := func(t *testing.T, wanted int, want string) {
		t.Helper()
		script := "sh rehearse.sh"
		if strings.Contains(tf.Read(t, "zzzz_override.tf"), "backend") {
			script = "terraform init -input=false -force-copy >init.log && " + script
		}
		out, err := tf.Shell(t, script,
			"PATH="+bin+string(os.PathListSeparator)+acctest.ShellPath(t), "TUNNEL_API_KEY="+w.ReadOnlyKey)
		code := 0
		if failed, ok := errorCode(err); ok {
			code = failed
		}
		if code != wanted || !acctest.InError(want).MatchString(out) {
			t.Errorf("exit code %d, want %d and %q:\n%s", code, wanted, want, acctest.Summary(out))
		}
	}
	for name, test := range map[string]struct {
		config, want string
		code         int
	}{
		"no change":      {before, "No changes", 0},
		"later override": {before + "provider \"tunnel\" {}\nresource \"tunnel_tcp_edge\" \"new\" {}\n", "address or key of its own: tunnel", 3},
		"a good change":  {before + "resource \"tunnel_tcp_edge\" \"new\" {}\nresource \"terraform_data\" \"new\" {}\n", "2 added, 0 changed, 0 destroyed", 0},
		"still in use":   {pointed, "still in use", 1},
		"key exists":     {before + "resource \"tunnel_ssh_credential\" \"new\" { public_key = \"" + key + "\" }\n", "already exists", 1},
		"own provider":   {before + "provider \"tunnel\" {\n  base_url = \"" + w.URL + "\"\n  api_key  = \"" + w.AdminKey + "\"\n}\nresource \"tunnel_tcp_edge\" \"new\" {}\n", "1 added", 0},
		"another block":  {before + "provider \"tunnel\" {\n  alias    = \"other\"\n  base_url = \"" + w.URL + "\"\n  api_key  = \"" + w.AdminKey + "\"\n}\nresource \"tunnel_tcp_edge\" \"new\" { provider = tunnel.other }\n", "address or key of its own: tunnel.other", 3},
	} {
		t.Run(name, func(t *testing.T) {
			tf.Write(t, "main.tf", test.config)
			tf.Write(t, "zzzz_override.tf", overrides[name])
			rehearse(t, test.code, test.want)
		})
	}
	if string(w.Export()) != string(account) || tf.Read(t, "terraform.tfstate") != state {
		t.Error("a rehearsal changed the account or the state")
	}
	t.Run("later backend", func(t *testing.T) {
		tf.Write(t, "main.tf", before+"resource \"tunnel_tcp_edge\" \"new\" {}\n")
		tf.Write(t, "zzzz_override.tf", "terraform {\n  backend \"local\" {\n    path = \""+tf.Dir+"/shared.tfstate\"\n  }\n}\n")
		if out, err := tf.Shell(t, "terraform init -input=false -force-copy"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		shared := tf.Read(t, "shared.tfstate")
		rehearse(t, 3, "is not kept in the copy")
		if tf.Read(t, "shared.tfstate") != shared {
			t.Error("a rehearsal changed the state in another backend")
		}
	})
	for endpoint := range w.Stats().Requests {
		if !strings.HasPrefix(endpoint, "GET ") {
			t.Errorf("the service got %s", endpoint)
		}
	}
	if left, _ := filepath.Glob(tf.Dir + ".rehearsal-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestAccRehearsal_providerOnlyInModules has a root module that leaves the provider to
// its module. Everything that works on a copy of the configuration works with it.
func TestAccRehearsal_providerOnlyInModules(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, search := explorer(t, w)
	if err := os.Mkdir(filepath.Join(tf.Dir, "m"), 0o700); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "m/main.tf", `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
resource "tunnel_ip_policy" "office" {}
`)
	tf.Write(t, "rehearse.sh", read(t, "guides/rehearsal/rehearse.sh"))
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
			"sh rehearse.sh": "added, 0 changed, 0 destroyed",
			"tunnel-testserver explore -only 500 -- terraform apply": "interruptions of an apply with",
			"tunnel-testserver calendar -days 1 -- terraform":        "module.m.tunnel_ip_policy.office",
		} {
			t.Run(name+" "+command, func(t *testing.T) {
				out, err := tf.Shell(t, command, search, "TUNNEL_API_KEY="+w.ReadOnlyKey)
				if err != nil || !acctest.InError(want).MatchString(out) {
					t.Errorf("%v\n%s", err, acctest.Summary(out))
				}
			})
		}
	}
	if n := w.Stats().Requests["POST /ip_policies"]; n > 0 {
		t.Errorf("the service got %d new IP policies", n)
	}
}

func errorCode(err error) (int, bool) {
	failed, ok := err.(*exec.ExitError) //nolint:errorlint // Shell does not wrap it
	if !ok {
		return 0, false
	}
	return failed.ExitCode(), true
}
