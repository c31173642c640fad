package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

const trafficUsage = `Usage: tunnel-testserver traffic [flags] -- terraform apply [options of plan]

Says what clients notice of an apply: on a copy of the account and of the state, it
applies and decides after each change what each request gets. "Opened" is a client that
reaches a backend in between, although neither the state before nor the state after lets
it; "interrupted" is a request that is served before and after, but not in between.
` + onCopy + `Exit codes: 0: nothing is opened or interrupted, 1: something is, the apply fails, or an
error, 2: invalid flags, 3: not run, because it could reach something other than the copy.

Flags:
`

// trafficFlags are the flags of the subcommand traffic.
type trafficFlags struct {
	copyFlags
	settings
	requests []traffic.Request // empty for all of the account and of the plan
	tunnels  []map[string]string
	latency  time.Duration
	runs     int
}

func (f *trafficFlags) readRequests(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	number := 0
	for line := range strings.Lines(string(content)) {
		number++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		request, err := traffic.ParseRequest(line)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, number, err)
		}
		if !slices.Contains(f.requests, request) {
			f.requests = append(f.requests, request)
		}
	}
	if len(f.requests) == 0 {
		return fmt.Errorf("%s has no request: expected lines such as https://www.example.com/api from 192.0.2.7", file)
	}
	return nil
}

func (f *trafficFlags) addTunnel(text string) error {
	labels := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(pair, "=")
		if _, twice := labels[name]; !ok || name == "" || twice {
			return errors.New("expected different labels, such as app=web,dc=fra")
		}
		labels[name] = value
	}
	f.tunnels = append(f.tunnels, labels)
	return nil
}

// showTraffic prints what clients notice of an apply.
func showTraffic(ctx context.Context, arguments []string, out, messages io.Writer) error {
	f := &trafficFlags{latency: 100 * time.Millisecond, runs: 8}
	flags := newFlags("traffic", trafficUsage, messages)
	flags.Func("requests", "`FILE` with a request in each line, such as https://www.example.com/api from 192.0.2.7 "+
		"(default: all hostports and routes of the account and of the plan)", f.readRequests)
	flags.Func("tunnel", "`LABELS` of an open tunnel, such as app=web,dc=fra. Can be repeated (default: a tunnel for each tunnel group "+
		"of the account)", f.addTunnel)
	flags.Func("latency", "mean `DURATION` of each change of the copy (default: 100ms)", duration(&f.latency, 0, time.Minute))
	flags.Func("runs", "`NUMBER` of applies, because their order is random (default: 8)", number(&f.runs, 1000))
	flags.Func("behavior", "act differently: `NAMES`, seed=N, or a JSON file of rules, as without a command", f.behavior)
	f.add(flags, "text", "json", "markdown")
	if err := f.parse(flags, arguments, messages, func() error { return nil }); err != nil {
		return err
	}
	folder, account, err := f.open(ctx, messages)
	if err != nil {
		return err
	}
	defer folder.Remove()
	server := testserver.New(f.options...)
	stop, err := copy.Serve(account, server, f.slow(server))
	if err != nil {
		return err
	}
	defer stop()
	report, err := f.run(ctx, folder.On(server, (*exec.Cmd).Run), server, messages)
	if err != nil {
		return err
	}
	report.Without(f.known)
	if err := f.print(out, report); err != nil {
		return err
	}
	if report.Bad() || report.Failure != "" {
		return exitCode(1)
	}
	return nil
}

// slow returns a handler whose writes take the latency, more or less, so that requests at
// the same time come in each order.
func (f *trafficFlags) slow(server http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && f.latency > 0 {
			time.Sleep(f.latency/2 + rand.N(f.latency))
		}
		server.ServeHTTP(w, r)
	})
}

// run plans once, and applies the plan several times, each time from the start.
func (f *trafficFlags) run(
	ctx context.Context, folder *copy.Folder, server *testserver.Server, messages io.Writer,
) (*traffic.Report, error) {
	plan, err := folder.FirstPlan(ctx)
	if err != nil {
		return nil, err
	}
	before, err := folder.Addresses()
	if err != nil {
		return nil, err
	}
	maps.Copy(before, plan.Addresses())
	report := &traffic.Report{Requests: []traffic.Found{}, Assumed: []string{}, Baseline: traffic.Baseline{Keys: []string{}}}
	for number := range f.runs {
		server.Reset()
		if err := folder.Restore(); err != nil {
			return nil, err
		}
		world := server.World(f.tunnels)
		recording, stop := server.Record()
		ran, err := folder.ApplyFirst(ctx)
		stop()
		if err != nil {
			return nil, err
		}
		report.Failure = cmp.Or(report.Failure, ran.Failure)
		after, err := folder.Addresses()
		if err != nil {
			return nil, err
		}
		requests := f.requests
		if requests == nil {
			requests = recording.Requests()
		}
		report.Add(recording.Follow(requests, world), func(c traffic.Change) string {
			if c.Verb == "deletion" {
				return cmp.Or(before[c.Key], c.Key)
			}
			return cmp.Or(after[c.Key], before[c.Key], c.Key)
		})
		fmt.Fprintf(messages, "run %d of %d\n", number+1, f.runs)
	}
	return report, nil
}
