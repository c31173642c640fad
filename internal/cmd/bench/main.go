// Bench runs Terraform with this provider and with one that does nothing, on the same
// configurations, with the test server. Only ratios within one run are meaningful. Its
// rows are in rows.go; see BENCHMARKS.md.
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
	"regexp"
	"runtime"
	"slices"
	"strings"
)

const providerName = "terraform-provider-tunnel"

func main() {
	if filepath.Base(os.Args[0]) == providerName { // Terraform started it
		os.Exit(asProvider())
	}
	runs := flag.Int("runs", 3, "runs of each command, of which the median counts")
	only := flag.String("only", "", "run only the rows whose names match `REGEXP`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := bench(ctx, *runs, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, runs int, only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "tunnel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	terraform, err := exec.LookPath(cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform"))
	if err != nil {
		return err
	}
	version, err := exec.CommandContext(ctx, terraform, "version").Output()
	if err != nil {
		return err
	}
	help, _ := exec.CommandContext(ctx, terraform, "plan", "-help").Output() // empty: without options that are not in all versions
	first, _, _ := strings.Cut(string(version), "\n")
	fmt.Printf("%s, %s, %s/%s, %d CPUs, medians of %d\n\n", first, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runs)
	fmt.Println("| command | resources | provider that does nothing (s) | this provider (s) " +
		"| ratio | provider CPU (s) | memory (MiB) | requests |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	var s *stage
	for _, row := range rows {
		lacks := slices.Contains(row.command, minimalRefresh) && !strings.Contains(string(help), minimalRefresh)
		if lacks || !wanted.MatchString(row.name) {
			continue
		}
		if s == nil || s.scene != row.scene {
			if s != nil {
				s.close()
			}
			if s, err = newStage(ctx, dir, terraform, row.scene); err != nil {
				return err
			}
		}
		if err := s.measure(ctx, row, runs); err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
	}
	if s != nil {
		s.close()
	}
	return nil
}

// measure runs a row with both providers in turns, so that other load on the machine
// affects them equally. The first turn is a warm-up, and the only one that measures the
// provider itself, because that takes time.
func (s *stage) measure(ctx context.Context, r row, runs int) error {
	if r.edit != "" {
		s.service.Edit("/ssh_credentials/"+s.service.List("/ssh_credentials")[0]["id"].(string), r.edit)
	}
	var floor, own []float64
	var used usage
	for turn := range runs + 1 {
		nothing, _, err := s.run(ctx, r, true, false)
		if err != nil {
			return err
		}
		seconds, found, err := s.run(ctx, r, false, turn == 0)
		if err != nil {
			return err
		}
		if turn == 0 {
			used = found
		} else {
			floor, own = append(floor, nothing), append(own, seconds)
		}
	}
	slices.Sort(floor)
	slices.Sort(own)
	a, b := floor[runs/2], own[runs/2]
	fmt.Printf("| %s | %d | %.2f | %.2f | %.2f | %.2f | %.0f | %d |\n", r.name, r.scene.n, a, b, b/a, used.cpu, used.memory, used.requests)
	return nil
}
