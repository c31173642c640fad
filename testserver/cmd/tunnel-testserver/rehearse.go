package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
)

const rehearseUsage = `Usage: tunnel-testserver rehearse [flags] -- terraform [options of plan]

Applies the configuration in the current directory to a copy of the account and of the
state, and plans again. The service and the state see only reads.
` + onCopy + `Exit codes: 0: the apply works, 1: it fails, or invalid flags, 2: it works, but the plan
after it has changes, 3: not rehearsed, because it could reach something other than the
copy.

Flags:
`

// rehearse applies a configuration to a copy of the account.
func rehearse(ctx context.Context, arguments []string, out, messages io.Writer) error {
	f, s := &copyFlags{}, &settings{}
	flags := newFlags("rehearse", rehearseUsage, messages)
	flags.Func("behavior", "act differently: `NAMES`, seed=N, or a JSON file of rules, as without a command", s.behavior)
	f.add(flags)
	if err := f.parse(flags, arguments, messages, func() error { return nil }); errors.Is(err, errUsage) {
		return exitCode(1) // 2 is for changes
	} else if err != nil {
		return err
	}
	folder, account, err := f.open(ctx, messages)
	if err != nil {
		return err
	}
	defer folder.Remove()
	server := testserver.New(s.options...)
	stop, err := copy.Serve(account, server, server)
	if err != nil {
		return err
	}
	defer stop()
	folder = folder.On(server, (*exec.Cmd).Run)
	run := func(arguments ...string) error {
		cmd := folder.Command(ctx, arguments...)
		cmd.Stdout, cmd.Stderr = out, messages
		return cmd.Run()
	}
	first := folder.File("rehearsal")
	if err := run(folder.Planning(first)...); err != nil {
		return fmt.Errorf("rehearsal: the plan fails: %w", err)
	}
	if _, err := folder.Check(ctx, first); err != nil {
		return err
	}
	if err := run("apply", "-input=false", first); err != nil {
		return fmt.Errorf("rehearsal: the apply fails: %w", err)
	}
	err = run(folder.Planning(folder.File("again"), "-detailed-exitcode")...)
	if changed, ok := errors.AsType[*exec.ExitError](err); ok && changed.ExitCode() == 2 {
		fmt.Fprintln(messages, "rehearsal: the apply works, but the plan after it has changes")
		return exitCode(2)
	}
	return err
}
