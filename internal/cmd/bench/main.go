// Bench runs real Terraform on many SSH credentials and TLS certificates with
// the test server. It compares the duration with the same number of
// terraform_data resources, which need no provider process, and with a provider
// that does nothing. Only ratios within one run are meaningful.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// groups are the names of the comparisons with a provider that does nothing.
var groups = []string{"unchanged", "policies", "all-kinds", "created", "growth"}

func main() {
	if filepath.Base(os.Args[0]) == providerName {
		if program := os.Getenv(meteredProgram); program != "" {
			os.Exit(metered(program))
		}
		os.Exit(hollow())
	}
	counts := flag.String("n", "100,1000,5000", "numbers of resources, comma-separated; empty for none")
	latencies := flag.String("latency", "0,20ms,100ms", "latencies of the service, comma-separated")
	runs := flag.Int("runs", 5, "number of runs of each command; the median is reported")
	limit := flag.Bool("limit", true, "also measure with rate limits")
	pairs := flag.Int("pairs", 1000, "number of resources in the comparisons with a provider that does nothing; 0 for none")
	only := flag.String("only", "", "run only one group of comparisons: "+strings.Join(groups, ", ")+"; empty for all")
	flag.Parse()
	if *only != "" && !slices.Contains(groups, *only) {
		fmt.Fprintf(os.Stderr, "bench: expected -only to be one of: %s; found %q\n", strings.Join(groups, ", "), *only)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := bench(ctx, numbers(*counts), durations(*latencies), *runs, *limit, *pairs, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// commands are the measured commands.
var commands = []struct {
	name      string
	arguments []string
}{
	{"plan", []string{"plan", "-detailed-exitcode", "-lock=false"}},
	{"refresh-only", []string{"plan", "-refresh-only", "-detailed-exitcode", "-lock=false"}},
}

func bench(ctx context.Context, counts []int, latencies []time.Duration, runs int, limit bool, pairs int, only string) error {
	dir, err := os.MkdirTemp("", "tunnel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	stage, err := newStage(dir)
	if err != nil {
		return err
	}
	defer stage.close()

	version, _, err := stage.terraform.Version(ctx, false)
	if err != nil {
		return err
	}
	fmt.Printf(
		"Terraform v%s, %s, %s/%s, %d CPUs, medians of %d\n\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		runs,
	)
	if err := stage.start(ctx, runs); err != nil {
		return err
	}

	if len(counts) > 0 {
		heading()
	}
	for _, n := range counts {
		core, own, err := stage.prepare(n)
		if err != nil {
			return err
		}
		certificates, err := stage.certificates(n)
		if err != nil {
			return err
		}
		for _, command := range commands {
			rows := []row{
				{name: command.name + ", terraform_data", dir: core, program: stage.provider},
				{name: command.name + ", a provider that does nothing", dir: own, program: stage.hollow},
			}
			for _, latency := range latencies {
				rows = append(rows,
					row{name: command.name, dir: own, program: stage.provider, latency: latency},
					row{name: command.name + ", one GET for each object", dir: own, program: stage.provider, latency: latency, single: true})
			}
			rows = append(rows,
				row{name: command.name + ", TLS certificates, a provider that does nothing", dir: certificates, program: stage.hollow},
				row{name: command.name + ", TLS certificates", dir: certificates, program: stage.provider})
			if _, err := stage.compare(ctx, rows, n, command.arguments, runs); err != nil {
				return err
			}
		}
	}
	if pairs > 0 {
		if err := stage.pairs(ctx, pairs, runs, only); err != nil {
			return err
		}
	}
	if pairs > 0 && (only == "" || only == "created") {
		if err := stage.created(ctx, pairs, runs); err != nil {
			return err
		}
	}
	if pairs > 0 && (only == "" || only == "growth") {
		if err := stage.growth(ctx, runs); err != nil {
			return err
		}
	}
	if limit {
		return stage.limited(ctx, runs)
	}
	return nil
}

// limited measures the cost of rate limits. It runs a plan under the limit of
// public services. Under a limit that is twenty times faster, it runs a refresh
// with one request per object, and a creation.
func (s *stage) limited(ctx context.Context, runs int) error {
	fmt.Println("\n| under a limit | requests | took s | compared with | ratio |")
	fmt.Println("|---|---|---|---|---|")
	_, own, err := s.prepare(1000)
	if err != nil {
		return err
	}
	plan, refresh := commands[0].arguments, commands[1].arguments
	free, err := s.medians(ctx, []row{{dir: own, program: s.provider}}, plan, runs)
	if err != nil {
		return err
	}
	line := func(what string, m measure, with string, seconds float64) {
		fmt.Printf("| %s | %d | %.1f | %s, %.1f s | %.2f |\n", what, m.requests, m.wall, with, seconds, m.wall/seconds)
	}
	held, err := s.under(ctx, 120, time.Minute, plan, 1000, 1000, false, runs)
	if err != nil {
		return err
	}
	line("plan of 1000, 120 in 60 s", held, "the same without a limit", free[0].wall)

	all, err := s.applied(ctx, "limited", providerBlock+allKinds(150), 150)
	if err != nil {
		return err
	}
	if free, err = s.medians(ctx, []row{{dir: all, program: s.provider}}, plan, runs); err != nil {
		return err
	}
	testserver.WithRateLimit(120, time.Minute)(s.service)
	kinds, err := s.medians(ctx, []row{{dir: all, program: s.provider}}, plan, runs)
	if err != nil {
		return err
	}
	line("plan of 3000 of all kinds, 120 in 60 s", kinds[0], "the same without a limit", free[0].wall)

	single, err := s.under(ctx, 120, 3*time.Second, refresh, 1000, 1000, true, runs)
	if err != nil {
		return err
	}
	line("refresh of 1000 without bulk reads, 120 in 3 s", single, "what the limit makes unavoidable", unavoidable(1000, 120, 3*time.Second))
	created, err := s.under(ctx, 120, 3*time.Second, []string{"apply", "-auto-approve", "-refresh=false", "-lock=false"}, 500, 0, false, runs)
	if err != nil {
		return err
	}
	line("creation of 500, 120 in 3 s", created, "what the limit makes unavoidable", unavoidable(500, 120, 3*time.Second))
	return nil
}

// unavoidable returns the minimum number of seconds that n requests take under
// a limit.
func unavoidable(n, limit int, window time.Duration) float64 {
	return float64((n-1)/limit) * window.Seconds()
}

// under runs a command several times and returns the medians. Each run uses a
// new service with a rate limit and a configuration of n objects, of which the
// first existing ones exist. If single is true, bulk reads are disabled.
func (s *stage) under(
	ctx context.Context, limit int, window time.Duration, arguments []string, n, existing int, single bool, runs int,
) (measure, error) {
	all := make([]measure, runs)
	for i := range all {
		_, own, err := s.prepareLimited(n, existing, testserver.WithRateLimit(limit, window))
		if err != nil {
			return measure{}, err
		}
		if all[i], err = s.run(ctx, row{dir: own, program: s.provider, single: single}, arguments, false); err != nil {
			return measure{}, err
		}
	}
	return middle(all), nil
}

// compare measures a command for each row, with n resources, and reports the
// results in relation to the first row.
func (s *stage) compare(ctx context.Context, rows []row, n int, arguments []string, runs int) ([]measure, error) {
	found, err := s.medians(ctx, rows, arguments, runs)
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		report(row, n, found[i], found[0])
	}
	return found, nil
}

func heading() {
	fmt.Println("\n| command | resources | latency | wall s | ratio | CPU s | of it the provider's | provider MiB | requests |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
}

func report(r row, n int, m, floor measure) {
	latency := ""
	if m.requests > 0 {
		latency = r.latency.String()
	}
	fmt.Printf("| %s | %d | %s | %.2f | %.2f | %.2f | %.2f | %.0f | %d |\n",
		r.name, n, latency, m.wall, m.wall/floor.wall, m.cpu, m.provider, m.memory, m.requests)
}

// middle returns the median of each number.
func middle(all []measure) measure {
	of := func(number func(measure) float64) float64 {
		values := make([]float64, len(all))
		for i, m := range all {
			values[i] = number(m)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return measure{
		wall:     of(func(m measure) float64 { return m.wall }),
		cpu:      of(func(m measure) float64 { return m.cpu }),
		requests: int(of(func(m measure) float64 { return float64(m.requests) })),
	}
}

func numbers(list string) []int {
	var out []int
	if list == "" {
		return nil
	}
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %q is not a number\n", text)
			os.Exit(2)
		}
		out = append(out, n)
	}
	return out
}

func durations(list string) []time.Duration {
	var out []time.Duration
	for text := range strings.SplitSeq(list, ",") {
		d, err := time.ParseDuration(cmp.Or(strings.TrimSuffix(text, "s")+"s", "0s"))
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %q is not a duration\n", text)
			os.Exit(2)
		}
		out = append(out, d)
	}
	return out
}
