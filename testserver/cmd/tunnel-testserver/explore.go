package main

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

// exploreFlags are the flags of the subcommand explore.
type exploreFlags struct {
	copyFlags
	only    []string
	sample  int
	workers int
	strict  bool
}

// maxWorkers is the maximum number of workers.
const maxWorkers = 64

const exploreUsage = `Usage:
  tunnel-testserver explore [flags] -- terraform apply [options of plan]
  tunnel-testserver explore [flags] -- COMMAND ...

Finds out what is left behind if an apply is interrupted: on a copy of the account and of
the state, it applies once and notes the requests. Then, for each request and each kind of
interruption, it applies the same plan with that interruption, applies again until the plan
is empty, and says what no state holds, what has changed without being planned, and what was
missing in between. With another command, such as the tests of a client, "again" is until
its exit code is 0, and the objects are compared with those after an undisturbed run. Only
the account is a copy then.
` + onCopy + `Exit codes: 0: every interruption is recoverable, 1: something unplanned changed, an apply
never converges, or an error, 2: invalid flags, 3: not explored, because it could reach
something other than the copy.

Flags:
`

func parseExplore(arguments []string, messages io.Writer) (*exploreFlags, error) {
	f := &exploreFlags{}
	flags := newFlags("explore", exploreUsage, messages)
	flags.Func("only", fmt.Sprintf("only the interruptions with this `NAME`: a request, a request with :KIND, or a kind. Can be "+
		"repeated. Kinds: %s", explore.Kinds), func(text string) error {
		f.only = append(f.only, text)
		return nil
	})
	flags.IntVar(&f.sample, "sample", 0, "only `N` interruptions, always the same, spread over requests and kinds (default: all)")
	flags.IntVar(&f.workers, "workers", 4, "`NUMBER` of interruptions at the same time")
	flags.BoolVar(&f.strict, "strict", false, "exit with 1 also if an object is left that no message names")
	f.add(flags, "text", "json", "junit")
	return f, f.parse(flags, arguments, messages, f.check)
}

func (f *exploreFlags) check() error {
	switch {
	case f.terraform() && !slices.Equal(f.command[1:min(2, len(f.command))], []string{"apply"}):
		return errors.New("expected apply after terraform, such as: tunnel-testserver explore -- terraform apply")
	case !f.terraform() && len(f.command) > 1 && f.command[1] == "apply":
		return fmt.Errorf("expected terraform or tofu before apply, found %s: it would change the state of this directory", f.command[0])
	case f.sample < 0:
		return fmt.Errorf("invalid -sample: expected a number of interruptions, or 0 for all, found %d", f.sample)
	case f.workers < 1 || f.workers > maxWorkers:
		return fmt.Errorf("invalid -workers: expected 1 to %d, found %d", maxWorkers, f.workers)
	}
	return nil
}

// terraform reports whether the command is Terraform or OpenTofu.
func (f *exploreFlags) terraform() bool {
	name := filepath.Base(f.command[0])
	return strings.HasPrefix(name, "terraform") || strings.HasPrefix(name, "tofu")
}

// exploreCommand prints what is left when a command is interrupted.
func exploreCommand(ctx context.Context, arguments []string, out, messages io.Writer) error {
	f, err := parseExplore(arguments, messages)
	if err != nil {
		return err
	}
	if errSignals != nil {
		return errSignals
	}
	if _, err := os.Stat(f.file); f.file != "" && err == nil {
		return fmt.Errorf("%s exists: move it, or use another name with -o", f.file)
	}
	if err := checkFolder(f.file); err != nil {
		return err
	}
	x, err := f.prepare(ctx, messages)
	if err != nil {
		return err
	}
	defer x.stop()
	report, err := x.all(ctx, f, messages)
	if err != nil {
		return err
	}
	text := report.WriteText
	if f.format == "junit" {
		text = func(out io.Writer) error { return writeSuite(out, f.suite(report)) }
	}
	if err := f.print(out, report.JSON(), text); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	if report.Bad(f.strict) {
		return exitCode(1)
	}
	return nil
}

// prepare makes the copies, and runs the command once without an interruption.
func (f *exploreFlags) prepare(ctx context.Context, messages io.Writer) (_ *explorer, err error) {
	open := newProgram(f.command)
	if f.terraform() {
		folder, refusal := copy.New(ctx, f.command[0], f.command[2:])
		if refusal != nil {
			return nil, refusal
		}
		defer func() {
			if err != nil {
				folder.Remove()
			}
		}()
		open = func(s *stage) (subject, error) { return newTerraform(s, folder), nil }
	} else if f.account == "" && os.Getenv("TUNNEL_BASE_URL") == "" {
		return prepare(ctx, testserver.New().Export(), open)
	}
	account, err := f.read(ctx, messages)
	if err != nil {
		return nil, err
	}
	return prepare(ctx, account, open)
}

// suite returns a test case for each interruption.
func (f *exploreFlags) suite(report *explore.Report) junitSuite {
	suite := junitSuite{
		XMLName: xml.Name{Local: "testsuite"}, Name: "tunnel-testserver explore " + strings.Join(report.Command, " "), Tests: len(report.Found),
	}
	for _, found := range report.Found {
		one := junitCase{Class: found.At.String(), Name: string(found.Kind)}
		message := &junitMessage{fmt.Sprintf("%s: %s. Repeat it with: %s", found.Class(), strings.Join(found.Resources(), ", "),
			report.Repeat(found.Interruption))}
		switch {
		case found.Bad(f.strict):
			one.Failure, suite.Failures = message, suite.Failures+1
		case !found.Reached:
			one.Skipped, suite.Skipped = message, suite.Skipped+1
		}
		suite.Cases = append(suite.Cases, one)
	}
	return suite
}

// progress prints how far it is and how long it takes, at most every ten seconds.
type progress struct {
	messages io.Writer
	began    time.Time
	printed  time.Time
}

func (p *progress) print(done, total int) {
	if now := time.Now(); now.Sub(p.printed) >= 10*time.Second || done == total {
		p.printed = now
		left := now.Sub(p.began) / time.Duration(done) * time.Duration(total-done)
		fmt.Fprintf(p.messages, "%d of %d interruptions, about %s left\n", done, total, left.Round(time.Second))
	}
}
