package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

const exploreUsage = `Usage:
  tunnel-testserver explore [flags] -- terraform apply [options of plan]
  tunnel-testserver explore [flags] -- COMMAND ...

Finds out what is left behind if an apply is interrupted: on a copy of the account and of
the state, it applies twice and notes the requests. Then, for each request and each kind of
interruption, it applies the same plan with that interruption, runs the imports that
errors advise, applies again until the plan is empty, and says what no state holds, what
has changed without being planned, and what was missing in between. With another command,
such as the tests of a client, "again" is until its exit code is 0, and the objects are
compared with those after an undisturbed run. Only the account is a copy then; without
TUNNEL_BASE_URL, it is that of a new test server. With -actors, somebody else acts at each
request, instead of an interruption.
` + onCopy + `Exit codes: 0: every interruption is recoverable, 1: something unplanned changed, an apply
never converges or blames the provider, or an error, 2: invalid flags, 3: not explored,
because the plan has no changes, or because it could reach something other than the copy.

Flags:
`

// maxInterruptions is the maximum of -sample.
const maxInterruptions = 1_000_000

// exploreCommand prints what is left when an apply is interrupted.
func exploreCommand(ctx context.Context, arguments []string, out, messages io.Writer) error {
	f, settings, strict := &copyFlags{}, explore.Settings{Workers: 4, Timeout: 10 * time.Minute, Messages: messages}, false
	flags := newFlags("explore", exploreUsage, messages)
	flags.BoolVar(&settings.Actors, "actors", false, "at each request, somebody else acts once: "+explore.List(explore.Actors)+
		", each also with -after, when the request is processed. Needs Terraform")
	flags.Func("only", "only the interruptions with this `NAME`: a request, a request with :KIND, or a kind. Can be repeated. Kinds: "+
		explore.List(explore.Kinds), func(text string) error {
		settings.Only = append(settings.Only, text)
		return nil
	})
	flags.Func("sample", "only `N` interruptions, always the same, spread over requests and kinds (default: all)",
		number(&settings.Sample, maxInterruptions))
	flags.Func("workers", "`NUMBER` of interruptions at the same time (default: 4)", number(&settings.Workers, 64))
	flags.BoolVar(&strict, "strict", false, "exit with 1 also if an object is left. For commands other than Terraform, this is the default: "+
		"use -strict=false")
	flags.Func("timeout", "`DURATION` after which a run of the command is killed (default: 10m)",
		duration(&settings.Timeout, time.Second, 24*time.Hour))
	f.add(flags, "text", "json", "markdown")
	f.others = true
	err := f.parse(flags, arguments, messages, func() error {
		if settings.Actors && len(f.command) > 0 && !isTerraform(f.command[0]) {
			return fmt.Errorf("-actors needs terraform or tofu, found %s", f.command[0])
		}
		if len(f.command) > 1 && f.command[1] == "apply" && !isTerraform(f.command[0]) {
			return fmt.Errorf("expected terraform or tofu before apply, found %s: it would change the state of this directory", f.command[0])
		}
		return nil
	})
	if err != nil {
		return err
	}
	given := false
	flags.Visit(func(set *flag.Flag) { given = given || set.Name == "strict" })
	strict = strict || !given && (settings.Actors || !isTerraform(f.command[0]))
	if err := explore.Prepare(); err != nil {
		return err
	}
	folder, account, err := f.open(ctx, messages)
	if err != nil {
		return err
	}
	if folder != nil {
		defer folder.Remove()
	}
	settings.Command, settings.Flags = f.command, f.source()
	if settings.Actors {
		settings.Flags = append(settings.Flags, "-actors")
	}
	settings.Environment = func(server *testserver.Server) []string { return ofClient(withoutSettings(os.Environ()), server) }
	report, err := explore.Explore(ctx, folder, account, settings)
	if unknown, ok := errors.AsType[explore.Unknown](err); ok {
		return notRun{unknown, codeUsage}
	}
	if err != nil {
		return err
	}
	report.Without(f.known)
	if err := f.print(out, report); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return copy.ErrInterrupted
	case report.Requests == 0:
		return exitCode(3)
	case report.Bad(strict):
		return exitCode(1)
	}
	return nil
}
