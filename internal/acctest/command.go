package acctest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fail fails the test with the relevant part of a command's output.
func fail(t testing.TB, command string, err error, out string) {
	t.Helper()
	reason, _, _ := strings.Cut(err.Error(), "\n")
	t.Fatalf("terraform %s: %s\n%s", command, reason, Summary(out))
}

// Command prepares a command of Terraform, for example one that receives a signal.
func (tf *Terraform) Command(ctx context.Context, arguments ...string) *exec.Cmd {
	return tf.prepare(exec.CommandContext(ctx, tf.program, arguments...))
}

// Stdout runs a command and returns its standard output, which is not part of Output. The
// test fails if the command fails.
func (tf *Terraform) Stdout(t testing.TB, arguments ...string) []byte {
	t.Helper()
	var errors bytes.Buffer
	cmd := tf.Command(t.Context(), arguments...)
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		fail(t, strings.Join(arguments, " "), err, errors.String())
	}
	return out
}

// Shell runs a script in the working directory, like a CI pipeline, and returns
// its output. environment contains additional variables in the form NAME=value.
func (tf *Terraform) Shell(t testing.TB, script string, environment ...string) (string, error) {
	t.Helper()
	cmd := tf.prepare(exec.CommandContext(t.Context(), "sh", "-ec", script))
	cmd.Env = append(append(cmd.Env, "PATH="+ShellPath(t)), environment...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// ShellPath returns a PATH in which terraform is the program that the tests use.
func ShellPath(t testing.TB) string {
	t.Helper()
	program, err := FindTerraform()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(program, filepath.Join(bin, "terraform")); err != nil {
		t.Fatal(err)
	}
	return bin + string(os.PathListSeparator) + os.Getenv("PATH")
}

func (tf *Terraform) prepare(cmd *exec.Cmd) *exec.Cmd {
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Dir = tf.Dir
	for name, value := range tf.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Env = append(cmd.Env, "TF_INPUT=0", "TF_IN_AUTOMATION=1")
	if tf.log != "" {
		cmd.Env = append(cmd.Env, "TF_LOG=TRACE", "TF_LOG_PATH="+tf.log)
	}
	if tf.reattach != nil {
		info, err := json.Marshal(tf.reattach)
		if err != nil {
			panic(err) // the value contains only strings and numbers
		}
		cmd.Env = append(cmd.Env, "TF_REATTACH_PROVIDERS="+string(info))
	}
	return cmd
}

// Run runs a command and returns its output. The test fails if the command fails.
func (tf *Terraform) Run(t testing.TB, arguments ...string) string {
	t.Helper()
	out, err := tf.Try(t, arguments...)
	if err != nil {
		fail(t, strings.Join(arguments, " "), err, out)
	}
	return out
}

// Try runs a command and returns its error and its output: first all of standard output,
// then all of standard error, so that no text is in the middle of another.
func (tf *Terraform) Try(t testing.TB, arguments ...string) (string, error) {
	t.Helper()
	var out, errors bytes.Buffer
	cmd := tf.Command(t.Context(), arguments...)
	cmd.Stdout, cmd.Stderr = &out, &errors
	err := cmd.Run()
	out.Write(errors.Bytes())
	tf.Output.Write(out.Bytes())
	return out.String(), err
}
