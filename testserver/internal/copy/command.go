package copy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Command returns a command of Terraform in the copy. It is stopped with an interrupt.
func (f *Folder) Command(ctx context.Context, arguments ...string) *exec.Cmd {
	return command(ctx, f.Dir, f.environment, f.program, arguments...)
}

// ErrInterrupted is the error of a program that runs when its context ends.
var ErrInterrupted = errors.New("interrupted")

// stopWait is how long a program can take to stop after a signal.
const stopWait = 10 * time.Second

func command(ctx context.Context, dir string, environment []string, program string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environment, stopWait
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return cmd
}

// output runs a program and returns its output. An error contains what it has printed.
func output(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	var out, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failure
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		printed := strings.TrimSpace(failure.String())
		if first, _, _ := bytes.Cut(out.Bytes(), []byte("\n")); printed == "" && !json.Valid(bytes.TrimSpace(first)) {
			printed = strings.TrimSpace(out.String())
		}
		return out.Bytes(), fmt.Errorf("%s %s: %w\n%s", filepath.Base(cmd.Path), cmd.Args[1], ended, printed)
	}
	return out.Bytes(), err
}
