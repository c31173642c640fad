package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// Exit codes if the command did not run, as of env and docker run.
const (
	codeNoServer     = 125
	codeNotRunnable  = 126
	codeNotFound     = 127
	codeOfSignalFrom = 128 // plus the number of the signal that killed the command
)

// exitCode is the error of a command that ended with a code other than 0.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("the command ended with code %d", int(c)) }

// notRun is the error of a command that could not be run.
type notRun struct {
	cause error
	code  int
}

func (n notRun) Error() string { return n.cause.Error() }

// runCommand runs a command with the environment of a client, and passes signals
// on to it, also those that came since the start of the server.
func runCommand(command []string, server *testserver.Server, signals <-chan os.Signal) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = ofClient(withoutSettings(os.Environ()), server)
	if err := cmd.Start(); err != nil {
		code := codeNotRunnable
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			code = codeNotFound
		}
		return notRun{err, code}
	}
	ended, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for {
			select {
			case received := <-signals:
				if received != os.Interrupt || !fromTerminal() {
					_ = cmd.Process.Signal(received)
				}
			case <-ended.Done():
				return
			}
		}
	}()
	err := cmd.Wait()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		if status, ok := failed.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return exitCode(codeOfSignalFrom + int(status.Signal()))
		}
		return exitCode(failed.ExitCode())
	}
	return err
}

// ofClient returns an environment with the settings of a client of a server.
func ofClient(environment []string, server *testserver.Server) []string {
	return append(slices.Clip(environment), "TUNNEL_BASE_URL="+server.URL, "TUNNEL_API_KEY="+server.AdminKey,
		"TUNNEL_ORDINARY_API_KEY="+server.OrdinaryKey, "TUNNEL_READ_ONLY_API_KEY="+server.ReadOnlyKey)
}

// withoutSettings returns an environment without the settings of another service.
func withoutSettings(environment []string) []string {
	others := []string{"TUNNEL_API_KEY_FILE", "TUNNEL_CA_CERTIFICATE", "TUNNEL_CLIENT_CERTIFICATE", "TUNNEL_CLIENT_KEY"}
	return slices.DeleteFunc(environment, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(others, name)
	})
}
