package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// explore interrupts an apply of the demo in a directory, whose parent has the keys.
func explore(ctx context.Context, testServer, terraform, dir string, environment map[string]string, flags []string) error {
	step("Interrupt an apply at each of its requests")
	cmd := exec.CommandContext(ctx, testServer,
		slices.Concat([]string{"explore"}, flags, []string{"--", terraform, "apply", "-var=keys=" + filepath.Dir(dir)})...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	for name, value := range environment {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd.Run()
}
