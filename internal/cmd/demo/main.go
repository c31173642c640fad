// Demo runs real Terraform on examples/demo against the test server: what a
// newcomer would do by hand, from init to destroy. It needs no registry and
// cleans up after itself, also where a step fails.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	install "github.com/hashicorp/hc-install"
	"github.com/hashicorp/hc-install/fs"
	"github.com/hashicorp/hc-install/product"
	"github.com/hashicorp/hc-install/releases"
	"github.com/hashicorp/hc-install/src"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := demo(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "\ndemo:", err)
		os.Exit(1)
	}
}

func demo(ctx context.Context) error {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "tunnel-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	installer := install.NewInstaller()
	defer installer.Remove(context.WithoutCancel(ctx)) //nolint:errcheck // it removes only what it fetched
	terraform, err := installer.Ensure(ctx, []src.Source{
		&fs.AnyVersion{Product: &product.Terraform},
		&releases.LatestVersion{Product: product.Terraform},
	})
	if err != nil {
		return fmt.Errorf("no Terraform on the PATH, and none could be fetched (install it from https://developer.hashicorp.com/terraform/install): %w", err)
	}

	step("Start the test server")
	service, end, err := startServer(ctx, filepath.Join(root, "bin", "tunnel-testserver"), dir)
	if err != nil {
		return err
	}
	defer end()
	if err := makeKeys(dir); err != nil {
		return err
	}
	cli, err := mirror(filepath.Join(root, "bin", "terraform-provider-tunnel"), dir)
	if err != nil {
		return err
	}

	run := func(configuration string, arguments ...string) error {
		cmd := exec.CommandContext(ctx, terraform, arguments...)
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = 30 * time.Second
		cmd.Dir = filepath.Join(dir, configuration)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		cmd.Env = append(withoutTerraform(os.Environ()),
			"TF_CLI_CONFIG_FILE="+cli, "TF_IN_AUTOMATION=1", "TF_INPUT=0", "CHECKPOINT_DISABLE=1",
			"TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY="+service.APIKey, "TF_VAR_keys="+dir,
			"TF_VAR_certificate_id="+service.certificate)
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("terraform %s: %w", strings.Join(arguments, " "), err)
		}
		return nil
	}
	if err := os.CopyFS(filepath.Join(dir, "demo"), os.DirFS(filepath.Join(root, "examples", "demo"))); err != nil {
		return err
	}

	begun := time.Now()
	for _, s := range []struct {
		what          string
		configuration string
		arguments     []string
	}{
		{"Prepare the working directory, without any registry", "demo", []string{"init", "-no-color"}},
		{"Create one object of each kind", "demo", []string{"apply", "-auto-approve"}},
		{"Plan again: there must be nothing to do", "demo", []string{"plan", "-detailed-exitcode"}},
	} {
		step(s.what)
		if err := run(s.configuration, s.arguments...); err != nil {
			return err
		}
	}

	step("Upload a certificate behind Terraform's back, then bring it under management")
	if err := service.upload(ctx, dir); err != nil {
		return err
	}
	importing := filepath.Join("demo", "import")
	for _, arguments := range [][]string{{"init", "-no-color"}, {"plan", "-out=import.plan"}} {
		if err := run(importing, arguments...); err != nil {
			return err
		}
	}
	if err := onlyImports(ctx, terraform, cli, filepath.Join(dir, importing)); err != nil {
		return err
	}
	for _, arguments := range [][]string{{"apply", "import.plan"}, {"plan", "-detailed-exitcode"}} {
		if err := run(importing, arguments...); err != nil {
			return err
		}
	}

	step("Destroy everything")
	for _, configuration := range []string{importing, "demo"} {
		if err := run(configuration, "destroy", "-auto-approve"); err != nil {
			return err
		}
	}

	fmt.Printf(`
The demo is done (%s). Terraform created one object of each kind, planned no
change afterwards, took over a certificate that existed without changing it, and
destroyed everything. Nothing is left behind.

To go on by hand, start the test server and do what it prints:

    bin/tunnel-testserver

and let Terraform find the provider in %s/bin, in a file that
TF_CLI_CONFIG_FILE names (no terraform init is needed then):

    provider_installation {
      dev_overrides { "tunnel-service/tunnel" = "%s/bin" }
      direct {}
    }
`, time.Since(begun).Round(time.Second), root, root)
	return nil
}

func step(what string) { fmt.Printf("\n==> %s\n", what) }

// withoutTerraform drops the settings of Terraform and of this provider that
// the caller happens to have.
func withoutTerraform(environment []string) []string {
	var kept []string
	for _, variable := range environment {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "TUNNEL_") {
			kept = append(kept, variable)
		}
	}
	return kept
}

// mirror lays the provider out as a registry would and returns a CLI
// configuration that knows only that place.
func mirror(provider, dir string) (string, error) {
	version := "0.0.1"
	folder := filepath.Join(dir, "mirror", "registry.terraform.io", "tunnel-service", "tunnel", version, runtime.GOOS+"_"+runtime.GOARCH)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	if err := os.Symlink(provider, filepath.Join(folder, "terraform-provider-tunnel_v"+version)); err != nil {
		return "", err
	}
	cli := filepath.Join(dir, "cli.tfrc")
	text := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", filepath.Join(dir, "mirror"))
	return cli, os.WriteFile(cli, []byte(text), 0o600)
}

// onlyImports reads a saved plan and refuses one that does more than import.
func onlyImports(ctx context.Context, terraform, cli, dir string) error {
	cmd := exec.CommandContext(ctx, terraform, "show", "-json", "import.plan")
	cmd.Dir = dir
	cmd.Env = append(withoutTerraform(os.Environ()), "TF_CLI_CONFIG_FILE="+cli)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("terraform show: %w", err)
	}
	var plan struct {
		Changes []struct {
			Address string
			Change  struct {
				Actions   []string
				Importing *struct{ ID string }
			}
		} `json:"resource_changes"`
	}
	if err := json.Unmarshal(out, &plan); err != nil {
		return err
	}
	for _, c := range plan.Changes {
		if c.Change.Importing == nil || len(c.Change.Actions) != 1 || c.Change.Actions[0] != "no-op" {
			return fmt.Errorf("%s: the import plans %v, expected no change", c.Address, c.Change.Actions)
		}
	}
	if len(plan.Changes) != 1 {
		return fmt.Errorf("the plan holds %d changes, expected one import", len(plan.Changes))
	}
	return nil
}

// server is the test server's ready file.
type server struct {
	URL     string            `json:"url"`
	APIKey  string            `json:"api_key"`
	Parents map[string]string `json:"parents"`

	certificate string
}

// startServer runs the test server and returns it with the function that stops
// it.
func startServer(ctx context.Context, program, dir string) (*server, func(), error) {
	ready := filepath.Join(dir, "ready.json")
	var log bytes.Buffer
	cmd := exec.Command(program, "-listen", "127.0.0.1:0", "-ready-file", ready)
	cmd.Stdout, cmd.Stderr = io.Discard, &log
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Wait()
		close(ended)
	}()
	stop := func() {
		cmd.Process.Signal(os.Interrupt) //nolint:errcheck // it may have ended by itself
		select {
		case <-ended: //nolint:errcheck // an interrupted server's exit status says nothing
		case <-time.After(5 * time.Second):
			cmd.Process.Kill() //nolint:errcheck // nothing more can be done
		}
	}
	for {
		if content, err := os.ReadFile(ready); err == nil {
			s := &server{}
			if err := json.Unmarshal(content, s); err != nil {
				stop()
				return nil, nil, err
			}
			return s, stop, nil
		}
		select {
		case err := <-ended:
			return nil, nil, fmt.Errorf("the test server ended at once: %w\n%s", err, log.String())
		case <-ctx.Done():
			stop()
			return nil, nil, context.Cause(ctx)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// upload makes a certificate as somebody without Terraform would.
func (s *server) upload(ctx context.Context, dir string) error {
	chain, err := os.ReadFile(filepath.Join(dir, "existing.pem"))
	if err != nil {
		return err
	}
	key, err := os.ReadFile(filepath.Join(dir, "existing_key.pem"))
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]string{
		"certificate_pem": string(chain), "private_key_pem": string(key), "description": "uploaded by hand",
	})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/tls_certificates", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.APIKey)
	req.Header.Set("Service-Version", "2")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var answer struct{ ID, Msg string }
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.ID == "" {
		return errors.New("upload a certificate: " + resp.Status + " " + answer.Msg)
	}
	s.certificate = answer.ID
	return nil
}
