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
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

func main() {
	page := flag.Bool("page", false, "wait for the Enter key before objects are created and destroyed")
	explores := flag.Bool("explore", false, "interrupt an apply of the demo instead; the arguments are flags of tunnel-testserver explore")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := demo(ctx, *page, *explores)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "\ndemo:", err)
		os.Exit(1)
	}
}

func demo(ctx context.Context, page, explores bool) error {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "tunnel-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	step("Find Terraform on the PATH, or download it")
	program, err := acctest.FindTerraform()
	if err != nil {
		return fmt.Errorf(
			"no Terraform on the PATH, and it could not be downloaded (install it from https://developer.hashicorp.com/terraform/install): %w",
			err,
		)
	}

	fmt.Println(program)

	step("Start the test server")
	service, end, err := startServer(ctx, filepath.Join(root, "bin", "tunnel-testserver"), dir)
	if err != nil {
		return err
	}
	defer end()
	if page {
		fmt.Printf("Open this address in a browser to see what happens:\n  %s\n", service.PageURL)
	}
	input := bufio.NewReader(os.Stdin)
	wait := func(what string) error {
		if !page {
			return nil
		}
		fmt.Printf("\nPress Enter to %s.\n", what)
		return enter(ctx, input)
	}
	if err := makeKeys(dir); err != nil {
		return err
	}
	cli, err := mirror(filepath.Join(root, "bin", "terraform-provider-tunnel"), dir)
	if err != nil {
		return err
	}

	if err := os.CopyFS(filepath.Join(dir, "demo"), os.DirFS(filepath.Join(root, "examples", "demo"))); err != nil {
		return err
	}
	environment := service.environment(cli)
	out := &progress{to: os.Stdout}
	demo, err := newTerraform(out, program, filepath.Join(dir, "demo"), environment, map[string]string{"keys": dir})
	if err != nil {
		return err
	}

	begun := time.Now()
	step("Initialize the working directory, without a registry")
	if err := out.run(func() error { return demo.Init(ctx) }); err != nil {
		return err
	}
	if explores {
		return explore(ctx, filepath.Join(root, "bin", "tunnel-testserver"), program, filepath.Join(dir, "demo"), environment, flag.Args())
	}
	if err := wait("create the objects"); err != nil {
		return err
	}
	step("Create one object of each kind")
	if err := out.run(func() error { return demo.Apply(ctx) }); err != nil {
		return err
	}
	step("Plan again: expect no changes")
	if err := out.run(func() error { return expectNoChanges(ctx, demo) }); err != nil {
		return err
	}

	step("Upload a certificate outside of Terraform, then import it")
	certificate, err := service.upload(ctx, dir)
	if err != nil {
		return err
	}
	importing, err := newTerraform(
		out, program, filepath.Join(dir, "demo", "import"), environment, map[string]string{"keys": dir, "certificate_id": certificate},
	)
	if err != nil {
		return err
	}
	if err := out.run(func() error { return importExisting(ctx, importing) }); err != nil {
		return err
	}

	if err := wait("destroy everything"); err != nil {
		return err
	}
	step("Destroy everything")
	for _, tf := range []*tfexec.Terraform{importing, demo} {
		if err := out.run(func() error { return tf.Destroy(ctx) }); err != nil {
			return err
		}
	}

	fmt.Printf(`
The demo is complete (%[1]s). Terraform created one object of each kind, planned no
changes afterwards, imported an existing certificate without changing it, and
destroyed everything.

Next steps:

  - Watch it in a browser: make demo PAGE=1 waits before each step
    until you press Enter.
  - Try it yourself, in %[2]s:
    the commands of "Quick start" in README.md start the test server and apply a
    small configuration.
  - Read examples/demo/main.tf, which the demo applied, and
    examples/complete/main.tf, a complete stack.
  - Use your own account: docs/guides/getting-started.md. To import what exists:
    docs/guides/importing-an-account.md.
`, time.Since(begun).Round(time.Second), root)
	return nil
}

// enter waits for the end of a line, the end of the input, or the end of the context.
func enter(ctx context.Context, input *bufio.Reader) error {
	read := make(chan error, 1)
	go func() {
		_, err := input.ReadString('\n')
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

// newTerraform returns Terraform for a working directory. It prints to out.
func newTerraform(out io.Writer, program, dir string, environment, variables map[string]string) (*tfexec.Terraform, error) {
	content, err := json.Marshal(variables)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "terraform.tfvars.json"), content, 0o600); err != nil {
		return nil, err
	}
	tf, err := tfexec.NewTerraform(dir, program)
	if err != nil {
		return nil, err
	}
	tf.SetStdout(out)
	tf.SetStderr(out)
	return tf, tf.SetEnv(environment)
}

// importExisting brings the certificate into the state, if the plan does only
// that.
func importExisting(ctx context.Context, tf *tfexec.Terraform) error {
	if err := tf.Init(ctx); err != nil {
		return err
	}
	if _, err := tf.Plan(ctx, tfexec.Out("import.plan")); err != nil {
		return err
	}
	if err := onlyImports(ctx, tf); err != nil {
		return err
	}
	if err := tf.Apply(ctx, tfexec.DirOrPlan("import.plan")); err != nil {
		return err
	}
	return expectNoChanges(ctx, tf)
}

func expectNoChanges(ctx context.Context, tf *tfexec.Terraform) error {
	changes, err := tf.Plan(ctx)
	if err == nil && changes {
		err = errors.New("the plan has changes")
	}
	return err
}

// mirror creates a filesystem mirror with the provider and returns the path of
// a CLI configuration that uses only this mirror.
func mirror(provider, dir string) (string, error) {
	const version = "0.1.0" // must match the version constraint in the examples
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		folder := filepath.Join(dir, "mirror", registry, "tunnel-service", "tunnel", version, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return "", err
		}
		if err := os.Symlink(provider, filepath.Join(folder, "terraform-provider-tunnel_v"+version)); err != nil {
			return "", err
		}
	}
	cli := filepath.Join(dir, "cli.tfrc")
	text := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", filepath.Join(dir, "mirror"))
	return cli, os.WriteFile(cli, []byte(text), 0o600)
}

// onlyImports returns an error if a saved plan does anything else than one
// import.
func onlyImports(ctx context.Context, tf *tfexec.Terraform) error {
	plan, err := tf.ShowPlanFile(ctx, "import.plan")
	if err != nil {
		return err
	}
	for _, c := range plan.ResourceChanges {
		if c.Change.Importing == nil || !c.Change.Actions.NoOp() {
			return fmt.Errorf("%s: expected an import without changes; found %v", c.Address, c.Change.Actions)
		}
	}
	if len(plan.ResourceChanges) != 1 {
		return fmt.Errorf("expected a plan with one import; found %d changes", len(plan.ResourceChanges))
	}
	return nil
}
