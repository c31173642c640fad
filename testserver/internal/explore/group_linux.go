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

// running reports whether a process of a group runs. One that has ended, and that nobody
// has waited for, does not.
func running(group int) bool {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	for _, name := range stats {
		content, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := bytes.Cut(content[max(0, bytes.LastIndexByte(content, ')')):], []byte(" "))
		fields := strings.Fields(string(rest)) // state, parent, group
		if len(fields) >= 3 && fields[0] != "Z" && fields[0] != "X" && fields[2] == strconv.Itoa(group) {
			return true
		}
	}
	return false
}

// signalGroup sends a signal to what is left of a group.
func signalGroup(group int, signal syscall.Signal) error {
	if err := syscall.Kill(-group, signal); !errors.Is(err, syscall.ESRCH) {
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
		if !running(group) {
			return
		}
		if time.Now().After(deadline) {
			_ = signalGroup(group, syscall.SIGKILL)
		}
	}
}
