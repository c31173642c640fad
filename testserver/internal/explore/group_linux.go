package explore

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrSystem is the error of a system on which explore cannot send signals.
var ErrSystem error

// inGroup makes a command the leader of a process group of its own.
func inGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// processes returns the processes of a group that run, without those that have ended and
// that nobody has waited for: providers among them, and others.
func processes(group int) (providers, others []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, name := range stats {
		content, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := bytes.Cut(content[max(0, bytes.LastIndexByte(content, ')')):], []byte(" "))
		fields := strings.Fields(string(rest)) // state, parent, group
		if len(fields) < 3 || fields[0] == "Z" || fields[0] == "X" || fields[2] != strconv.Itoa(group) {
			continue
		}
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		program, _ := os.Readlink(filepath.Join(filepath.Dir(name), "exe"))
		if strings.HasPrefix(filepath.Base(program), "terraform-provider-") {
			providers = append(providers, id)
		} else {
			others = append(others, id)
		}
	}
	return providers, others
}

// sendSignals sends the signals of a kind of interruption to a group.
func sendSignals(group int, kind Kind) {
	name, target, _ := strings.Cut(string(kind), "-")
	signal := map[string]syscall.Signal{"sigint": syscall.SIGINT, "sigterm": syscall.SIGTERM, "kill": syscall.SIGKILL}[name]
	if target == "group" {
		_ = syscall.Kill(-group, signal)
		return
	}
	targets, others := processes(group)
	if target == "terraform" {
		targets = others
	}
	for _, process := range targets {
		_ = syscall.Kill(process, signal) // it may have ended
	}
}

// killGroup kills what is left of a group.
func killGroup(group int) error {
	if err := syscall.Kill(-group, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// awaitGroup waits until no process of a group runs. It kills those that run for longer
// than limit.
func awaitGroup(group int, limit time.Duration) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(limit); ; <-tick.C {
		if providers, others := processes(group); len(providers)+len(others) == 0 {
			return
		}
		if time.Now().After(deadline) {
			_ = killGroup(group)
		}
	}
}
