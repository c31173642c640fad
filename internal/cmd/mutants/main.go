// Mutants changes the code of a package in many ways, and lists the changes that no
// test finds. All changes are compiled into one test binary, and an environment variable
// chooses one of them. A change that lives is a missing test, or changes nothing.
//
//	go run ./internal/cmd/mutants ./internal/api
//	TF_ACC=1 go run ./internal/cmd/mutants -tests ./internal/provider,./internal/crud ./internal/crud
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

func main() {
	tests := flag.String("tests", "", "packages whose tests run, separated by commas (default the package itself)")
	every := flag.Int("every", 1, "try only each `N`th change")
	file := flag.String("file", "", "try only the changes of one file of the package")
	flag.Parse()
	if flag.NArg() != 1 || *every < 1 {
		fmt.Fprintln(os.Stderr, "usage: mutants [-tests PACKAGE[,PACKAGE]] [-every N] [-file NAME] PACKAGE")
		os.Exit(2)
	}
	alive, err := run(flag.Arg(0), strings.Split(cmp.Or(*tests, flag.Arg(0)), ","), *file, *every)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
	if alive > 0 {
		os.Exit(1)
	}
}

// A suite is the test binary of a package, and how long it runs without a change.
type suite struct {
	dir, binary string
	took        time.Duration
}

func run(pkg string, tests []string, file string, every int) (alive int, err error) {
	work, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	changes, overlay, err := mutate(pkg, work)
	if err != nil {
		return 0, err
	}
	hits := filepath.Join(work, "hits")
	var suites []suite
	for i, test := range tests {
		s := suite{dir: test, binary: filepath.Join(work, "test"+strconv.Itoa(i))}
		build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", s.binary, test)
		if out, err := build.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("%s: %w\n%s", test, err, out)
		}
		begun := time.Now()
		if out, err := s.try(0, hits, time.Hour); err != nil {
			return 0, fmt.Errorf("the tests of %s fail without a change: %w\n%s", test, err, out)
		}
		s.took = time.Since(begun)
		suites = append(suites, s)
	}
	reached, err := os.ReadFile(hits)
	if err != nil {
		return 0, err
	}
	covered := map[string]bool{}
	for number := range strings.FieldsSeq(string(reached)) {
		covered[number] = true
	}
	changes = slices.DeleteFunc(changes, func(c change) bool {
		return !covered[strconv.Itoa(c.number)] || c.number%every != 0 || file != "" && filepath.Base(c.at.Filename) != file
	})
	var all sync.WaitGroup
	var mu sync.Mutex
	free := make(chan struct{}, 2)
	for _, change := range changes {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			if slices.ContainsFunc(suites, func(s suite) bool { return s.kills(change.number) }) {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			alive++
			fmt.Printf("%s:%d: %s\n", filepath.Base(change.at.Filename), change.at.Line, change.what)
		})
	}
	all.Wait()
	fmt.Printf("%s: %d of %d changes that a test reaches live\n", pkg, alive, len(changes))
	return alive, nil
}

func (s suite) kills(number int) bool {
	_, err := s.try(number, "", 5*s.took+10*time.Second)
	return err != nil
}

// try runs the tests with a change. An endless loop is a failure.
func (s suite) try(number int, hits string, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	command := exec.CommandContext(ctx, s.binary, "-test.failfast", "-test.timeout="+limit.String())
	command.Dir = s.dir
	command.WaitDelay = time.Second
	command.Env = append(os.Environ(), fmt.Sprintf("%s=%d", chosen, number), hitsFile+"="+hits)
	out, err := command.CombinedOutput()
	if ctx.Err() != nil {
		err = errors.New("timeout")
	}
	return string(out), err
}

// mutate writes the package with all changes, and the overlay that compiles it.
func mutate(pkg, work string) (all []change, overlay string, err error) {
	var listed struct {
		Dir, Name string
		GoFiles   []string
	}
	out, err := exec.Command("go", "list", "-json=Dir,Name,GoFiles", pkg).Output()
	if err != nil {
		return nil, "", err
	}
	if err := json.Unmarshal(out, &listed); err != nil {
		return nil, "", err
	}
	replaced := map[string]string{}
	replace := func(name string, content []byte) error {
		at := filepath.Join(work, name)
		replaced[filepath.Join(listed.Dir, name)] = at
		return os.WriteFile(at, content, 0o600)
	}
	for _, name := range listed.GoFiles {
		changed, text, err := changesOf(filepath.Join(listed.Dir, name), len(all))
		if err != nil {
			return nil, "", err
		}
		all = append(all, changed...)
		if err := replace(name, text); err != nil {
			return nil, "", err
		}
	}
	if err := replace("zz_mutants.go", []byte("package "+listed.Name+"\n"+chooser(len(all)))); err != nil {
		return nil, "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, "", err
	}
	overlay = filepath.Join(work, "overlay.json")
	return all, overlay, os.WriteFile(overlay, text, 0o600)
}
