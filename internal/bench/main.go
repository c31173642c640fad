// Bench runs real Terraform on many SSH credentials against the test server and
// compares what that takes with the same number of terraform_data, which need no
// provider at all. Only ratios within one run mean something.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	if filepath.Base(os.Args[0]) == providerName {
		os.Exit(metered())
	}
	counts := flag.String("n", "100,1000,5000", "how many resources, with commas between")
	latencies := flag.String("latency", "0,20ms,100ms", "how long the service takes for an answer, with commas between")
	runs := flag.Int("runs", 5, "how often each command is run; the median counts")
	limit := flag.Bool("limit", true, "also measure 1000 resources under 120 requests in 60 s")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := bench(ctx, numbers(*counts), durations(*latencies), *runs, *limit)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// commands are what is measured.
var commands = []struct {
	name      string
	arguments []string
}{
	{"plan", []string{"plan", "-detailed-exitcode", "-lock=false"}},
	{"refresh-only", []string{"plan", "-refresh-only", "-detailed-exitcode", "-lock=false"}},
}

func bench(ctx context.Context, counts []int, latencies []time.Duration, runs int, limit bool) error {
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

	version, err := exec.CommandContext(ctx, "terraform", "version").Output()
	if err != nil {
		return fmt.Errorf("terraform version: %w", err)
	}
	line, _, _ := strings.Cut(string(version), "\n")
	fmt.Printf("%s, %s, %s/%s, %d CPUs, medians of %d\n\n", line, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runs)
	if err := stage.start(ctx, runs); err != nil {
		return err
	}

	fmt.Println("| command | resources | latency | wall s | ratio | CPU s, Terraform | CPU s, provider | provider MiB | requests |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	memory := map[int]float64{}
	for _, n := range counts {
		core, own, err := stage.prepare(n)
		if err != nil {
			return err
		}
		for _, command := range commands {
			floor, err := stage.median(ctx, core, command.arguments, runs)
			if err != nil {
				return err
			}
			report(command.name+", terraform_data", n, "", floor, floor)
			for _, latency := range latencies {
				stage.latency.Store(int64(latency))
				found, err := stage.median(ctx, own, command.arguments, runs)
				if err != nil {
					return err
				}
				report(command.name, n, latency.String(), found, floor)
				memory[n] = max(memory[n], found.memory)
			}
			stage.latency.Store(0)
		}
	}
	if few, many := slices.Min(counts), slices.Max(counts); many > few {
		fmt.Printf("\nThe provider's memory grows by %.1f KB for each resource, from %d to %d.\n", (memory[many]-memory[few])*1024*1.024/float64(many-few)*1.0, few, many)
	}
	if limit {
		return stage.limited(ctx, runs)
	}
	return nil
}

// limited compares a plan under the rate limit of a public service with one
// without.
func (s *stage) limited(ctx context.Context, runs int) error {
	_, own, err := s.prepare(1000)
	if err != nil {
		return err
	}
	free, err := s.median(ctx, own, commands[0].arguments, runs)
	if err != nil {
		return err
	}
	var bound []measure
	for range runs {
		_, own, err := s.prepareLimited(1000, 120, time.Minute)
		if err != nil {
			return err
		}
		m, err := s.run(ctx, own, commands[0].arguments)
		if err != nil {
			return err
		}
		bound = append(bound, m)
	}
	held := middle(bound)
	fmt.Printf("\nPlan of 1000 under 120 requests in 60 s: %.2f s with %d requests, %.2f times that without a limit.\n",
		held.wall, held.requests, held.wall/free.wall)
	return nil
}

func report(command string, n int, latency string, m, floor measure) {
	fmt.Printf("| %s | %d | %s | %.2f | %.2f | %.2f | %.2f | %.0f | %d |\n",
		command, n, latency, m.wall, m.wall/floor.wall, m.terraform, m.provider, m.memory, m.requests)
}

// middle takes the median of each number by itself.
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
		wall:      of(func(m measure) float64 { return m.wall }),
		terraform: of(func(m measure) float64 { return m.terraform }),
		provider:  of(func(m measure) float64 { return m.provider }),
		memory:    of(func(m measure) float64 { return m.memory }),
		requests:  int(of(func(m measure) float64 { return float64(m.requests) })),
	}
}

func numbers(list string) []int {
	var out []int
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %q is no number\n", text)
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
			fmt.Fprintf(os.Stderr, "bench: %q is no duration\n", text)
			os.Exit(2)
		}
		out = append(out, d)
	}
	return out
}
