package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
)

// Exit codes of verify.
const (
	codeDifferences = 1
	codeIncomplete  = 2
)

// verification is one call of verify.
type verification struct {
	only      string
	perMinute int
	yes       bool
	format    string
	routes    func(route string) bool // nil means all
	client    *client
	out       io.Writer
	messages  io.Writer
}

// verify sends the conformance variants to a service and prints a report.
func verify(ctx context.Context, arguments []string, out, messages io.Writer) error {
	v := &verification{out: out, messages: messages}
	flags := newFlags("verify", "Usage of tunnel-testserver verify:\n", messages)
	flags.StringVar(&v.only, "only", "", "send only the requests of a `KIND`, such as tls_certificate")
	flags.IntVar(&v.perMinute, "requests-per-minute", 0, "send at most `N` requests per minute (default: no limit)")
	flags.BoolVar(&v.yes, "yes", false, "make, change and delete objects of the account; without it, verify says only how to begin")
	flags.StringVar(&v.format, "format", "text", "`FORMAT` of the report: text or json")
	if err := parse(flags, arguments, messages); err != nil {
		return err
	}
	err := v.check(flags)
	if err != nil {
		return notRun{fmt.Errorf("verify: %w", err), codeIncomplete}
	}
	if v.client, err = newClient(ctx, v.perMinute, messages); err == nil {
		err = v.run(ctx)
	}
	if _, ended := errors.AsType[exitCode](err); err != nil && !ended {
		return notRun{err, codeIncomplete}
	}
	return err
}

func (v *verification) check(flags *flag.FlagSet) error {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q: it reads TUNNEL_BASE_URL and TUNNEL_API_KEY", flags.Arg(0))
	case given["requests-per-minute"] && v.perMinute < 1:
		return errors.New("-requests-per-minute expects a positive integer")
	case !v.yes:
		return errors.New("it makes, changes and deletes objects in the account of TUNNEL_BASE_URL: to begin, use -yes")
	case reports[v.format] == nil:
		return fmt.Errorf("invalid -format %q: expected text or json", v.format)
	}
	var err error
	v.routes, err = routesOf(v.only)
	return err
}

// routesOf returns which routes belong to a kind with its modules and parts. It returns
// nil for an empty name, which means all.
func routesOf(kind string) (func(route string) bool, error) {
	if kind == "" {
		return nil, nil //nolint:nilnil // no filter
	}
	var known []string
	for _, names := range kinds.Collections() {
		name := strings.ToLower(strings.ReplaceAll(names.Noun, " ", "_"))
		known = append(known, name)
		if name == kind {
			return func(route string) bool { return route == names.Path || strings.HasPrefix(route, names.Path+"/") }, nil
		}
	}
	slices.Sort(known)
	return nil, fmt.Errorf("invalid -only %q: expected one of %s", kind, strings.Join(known, ", "))
}

// run verifies the service.
func (v *verification) run(ctx context.Context) error {
	if err := v.reach(ctx); err != nil {
		return err
	}
	mark := "tunnel-verify-" + strings.ToLower(rand.Text()[:16])
	fmt.Fprintf(v.messages, "%s of %s: all objects are made for the run, have the mark %s, and are deleted at the end\n",
		cmp.Or(v.only, "all kinds"), v.client.base.Host, mark)
	shown := time.Now()
	var run *conformance.Run
	run = conformance.New(ctx, conformance.Config{
		Document: documented(), Base: v.client.base.String(), Transport: v.client.polite, Key: v.client.key,
		ReadOnlyKey: os.Getenv("TUNNEL_READ_ONLY_API_KEY"), Mark: mark, Only: v.routes,
		Progress: func(done, of int) {
			if done == of || time.Since(shown) >= progressEvery {
				shown = time.Now()
				fmt.Fprintf(v.messages, "%d of %d operations, %d requests, %d differences\n", done, of, run.Requests, run.Count(conformance.Differs))
			}
		},
	})
	stopped := run.All()
	left := v.clean(ctx, run, mark)
	found := report{run, v.client.base.Host, stopped == nil && left == nil}
	if err := reports[v.format](v.out, found); err != nil {
		return err
	}
	switch {
	case stopped != nil || left != nil:
		return errors.Join(stopped, left)
	case found.nothingAgrees():
		fmt.Fprintln(v.messages, nothingAgrees)
		return exitCode(codeIncomplete)
	case run.Count(conformance.Differs) > 0:
		return exitCode(codeDifferences)
	case slices.ContainsFunc(run.Results, func(r conformance.Result) bool { return r.Open }):
		return exitCode(codeIncomplete)
	}
	return nil
}

const progressEvery = 5 * time.Second

// reach checks address and key with the first list that the service has.
func (v *verification) reach(ctx context.Context) (err error) {
	for _, kind := range kinds.Collections() {
		if v.routes != nil && !v.routes(kind.Path) {
			continue
		}
		list, _, _ := strings.Cut(kind.Path, "/{")
		_, err = v.client.get(ctx, v.client.base.String()+list)
		if refused, ok := errors.AsType[refusal](err); !ok || refused.status != http.StatusNotFound {
			return err
		}
		err = fmt.Errorf("%w: check TUNNEL_BASE_URL, or the service does not offer this kind", err)
	}
	return err
}

// cleanTimeout is the maximum time for the deletions at the end.
const cleanTimeout = time.Hour

// clean deletes what a run has made, also after an interrupt. A second interrupt ends
// the process.
func (v *verification) clean(ctx context.Context, run *conformance.Run, mark string) error {
	if ctx.Err() != nil {
		fmt.Fprintf(v.messages, "deleting what the run has made; if you interrupt this, look for objects with the mark %s\n", mark)
		signal.Reset(os.Interrupt, syscall.SIGTERM)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanTimeout)
	defer cancel()
	v.client.polite.running = ctx
	if err := run.Clean(ctx); err != nil {
		return err
	}
	if run.Unclear > 0 {
		return fmt.Errorf("%d creations had no clear response: look for objects with the mark %s, and delete them", run.Unclear, mark)
	}
	return nil
}
