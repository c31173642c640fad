// Demo runs real Terraform on examples/demo with the test server, from init to
// destroy. It needs no provider registry and cleans up after itself, even if a
// step fails.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

func main() {
	page := flag.Bool("page", false, "wait for the Enter key before objects are created and destroyed")
	explores := flag.Bool("explore", false, "interrupt an apply of the demo instead; the arguments are flags of tunnel-testserver explore")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *page, *explores)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "\ndemo:", err)
		os.Exit(1)
	}
}

// demo is a copy of examples/demo, and what Terraform needs to run in it.
type demo struct {
	dir, root, terraform string
	env                  []string
	out                  *progress
	page                 bool
	traffic              *testserver.Traffic
	input                *bufio.Reader
}

func run(ctx context.Context, page, explores bool) error {
	d := &demo{out: &progress{to: os.Stdout}, page: page, input: bufio.NewReader(os.Stdin)}
	var err error
	if d.root, err = filepath.Abs("."); err != nil {
		return err
	}
	if d.dir, err = os.MkdirTemp("", "tunnel-demo-"); err != nil {
		return err
	}
	defer os.RemoveAll(d.dir)

	step("Find Terraform on the PATH, or download it")
	if d.terraform, err = acctest.FindTerraform(); err != nil {
		return fmt.Errorf("no Terraform on the PATH, and it could not be downloaded; "+
			"install it from https://developer.hashicorp.com/terraform/install: %w", err)
	}
	fmt.Println(d.terraform)

	step("Start the test server")
	service := testserver.New(testserver.WithBehavior("require_reserved"))
	front := httptest.NewServer(service)
	defer front.Close()
	defer service.Close()
	service.URL = front.URL
	if d.traffic, err = service.OpenTraffic(testserver.TrafficSettings{
		Traffic: "127.0.0.1:0", SSH: "127.0.0.1:0", ClientHeader: clientHeader, Events: true,
	}); err != nil {
		return err
	}
	defer d.traffic.Close()
	if page {
		fmt.Printf("Open this address in a browser to see what happens:\n  %s\n", service.PageURL())
	}
	existing, err := d.prepare(service)
	if err != nil {
		return err
	}

	begun := time.Now()
	step("Initialize the working directory, without a registry")
	if err := d.run(ctx, "demo", "init"); err != nil {
		return err
	}
	if explores {
		step("Interrupt an apply at each of its requests")
		cmd := d.command(ctx, "demo", filepath.Join(d.root, "bin", "tunnel-testserver"),
			slices.Concat([]string{"explore"}, flag.Args(), []string{"--", d.terraform, "apply", "-var=keys=" + d.dir})...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return cmd.Run()
	}
	if err := d.all(ctx, service, existing); err != nil {
		return err
	}
	fmt.Printf(`
The demo is complete (%[1]s). Terraform created one object of each kind, planned no
changes afterwards, imported an existing certificate without changing it, and
destroyed everything. In between, a website was served through a tunnel of ssh.

Next steps:

  - Watch it in a browser: make demo PAGE=1 waits for Enter before it creates and
    before it destroys the objects.
  - Try it yourself, in %[2]s:
    docs/guides/getting-started.md leads to a first plan and apply, with the test
    server or with your own account.
  - Read examples/demo/main.tf, which the demo applied, and
    examples/complete/main.tf, a complete stack.
  - Import what exists in your account: docs/guides/importing-an-account.md.
`, time.Since(begun).Round(time.Second), d.root)
	return nil
}

// all creates, imports and destroys the objects. existing is a certificate to upload.
func (d *demo) all(ctx context.Context, service *testserver.Server, existing []byte) error {
	if err := d.wait(ctx, "create the objects"); err != nil {
		return err
	}
	step("Create one object of each kind")
	if err := d.run(ctx, "demo", "apply", "-auto-approve"); err != nil {
		return err
	}
	step("Plan again: expect no changes")
	if err := d.run(ctx, "demo", "plan", "-detailed-exitcode"); err != nil {
		return err
	}

	if err := d.visit(ctx); err != nil {
		return err
	}

	step("Upload a certificate outside of Terraform, then import it")
	imports := filepath.Join("demo", "import")
	if err := d.variables(imports, map[string]string{
		"keys": d.dir, "certificate_id": service.Create("/tls_certificates", string(existing)),
	}); err != nil {
		return err
	}
	for _, arguments := range [][]string{{"init"}, {"plan", "-out=import.plan"}} {
		if err := d.run(ctx, imports, arguments...); err != nil {
			return err
		}
	}
	if err := d.onlyImports(ctx, imports); err != nil {
		return err
	}
	for _, arguments := range [][]string{{"apply", "import.plan"}, {"plan", "-detailed-exitcode"}} {
		if err := d.run(ctx, imports, arguments...); err != nil {
			return err
		}
	}

	if err := d.wait(ctx, "destroy everything"); err != nil {
		return err
	}
	step("Destroy everything")
	return errors.Join(d.run(ctx, imports, "destroy", "-auto-approve"), d.run(ctx, "demo", "destroy", "-auto-approve"))
}

// prepare copies the demo, makes its keys and certificates, and a mirror with the
// provider. It returns the request that uploads the certificate to import.
func (d *demo) prepare(service *testserver.Server) (upload []byte, err error) {
	if err := os.CopyFS(filepath.Join(d.dir, "demo"), os.DirFS(filepath.Join(d.root, "examples", "demo"))); err != nil {
		return nil, err
	}
	const version = "0.1.0" // must match the version constraint in the examples
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		folder := filepath.Join(d.dir, "mirror", registry, "tunnel-service", "tunnel", version, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, err
		}
		provider := "terraform-provider-tunnel"
		if err := os.Symlink(filepath.Join(d.root, "bin", provider), filepath.Join(folder, provider+"_v"+version)); err != nil {
			return nil, err
		}
	}
	host, _ := testcert.SSHKeyPair("host")
	user, userKey := testcert.SSHKeyPair("user")
	chain, key := testcert.SelfSigned("www.example.com")
	existing, existingKey := testcert.SelfSigned("old.example.com")
	for name, content := range map[string]string{
		"host_key.pub": host, "user_key.pub": user, "user_key": userKey,
		"certificate.pem": chain, "private_key.pem": key, "existing.pem": existing,
		"cli.tfrc": fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", filepath.Join(d.dir, "mirror")),
	} {
		if err := os.WriteFile(filepath.Join(d.dir, name), []byte(content), 0o600); err != nil {
			return nil, err
		}
	}
	// acctest removed other settings for Terraform and this provider.
	d.env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(d.dir, "cli.tfrc"), "CHECKPOINT_DISABLE=1",
		"TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY="+service.AdminKey)
	if err := d.variables("demo", map[string]string{"keys": d.dir}); err != nil {
		return nil, err
	}
	return json.Marshal(map[string]string{"certificate_pem": existing, "private_key_pem": existingKey, "description": "uploaded by hand"})
}

func (d *demo) variables(folder string, values map[string]string) error {
	content, err := json.Marshal(values)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(d.dir, folder, "terraform.tfvars.json"), content, 0o600)
}

// command returns a command that is interrupted, and not killed, when the context ends.
func (d *demo) command(ctx context.Context, folder, program string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Dir, cmd.Env = filepath.Join(d.dir, folder), d.env
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	return cmd
}

// run runs Terraform, and prints its results.
func (d *demo) run(ctx context.Context, folder string, arguments ...string) error {
	return d.out.run(func() error {
		cmd := d.command(ctx, folder, d.terraform, slices.Insert(slices.Clone(arguments), 1, "-no-color", "-input=false")...)
		cmd.Stdout, cmd.Stderr = d.out, d.out
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("terraform %s: %w", strings.Join(arguments, " "), err)
		}
		return nil
	})
}

// onlyImports returns an error if a saved plan does anything else than one import.
func (d *demo) onlyImports(ctx context.Context, folder string) error {
	content, err := d.command(ctx, folder, d.terraform, "show", "-json", "import.plan").Output()
	if err != nil {
		return err
	}
	var plan struct {
		Changes []struct {
			Change struct {
				Actions   []string
				Importing *struct{ ID string }
			}
		} `json:"resource_changes"`
	}
	if err := json.Unmarshal(content, &plan); err != nil {
		return err
	}
	if len(plan.Changes) != 1 || plan.Changes[0].Change.Importing == nil || !slices.Equal(plan.Changes[0].Change.Actions, []string{"no-op"}) {
		return fmt.Errorf("expected a plan with one import without changes; found %+v", plan.Changes)
	}
	return nil
}

// wait waits for the Enter key, the end of the input, or the end of the context.
func (d *demo) wait(ctx context.Context, what string) error {
	if !d.page {
		return nil
	}
	fmt.Printf("\nPress Enter to %s.\n", what)
	read := make(chan error, 1)
	go func() {
		_, err := d.input.ReadString('\n')
		read <- err
	}()
	select {
	case err := <-read:
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func step(what string) { fmt.Printf("\n==> %s\n", what) }
