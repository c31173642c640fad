package explore

import (
	"errors"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Prepare makes this program the parent of each process whose own parent has ended, so
// that it can wait for all processes of a run.
func Prepare() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// inGroup makes a command the leader of a process group of its own.
func inGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

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
	late := time.AfterFunc(limit, func() { _ = signalGroup(group, syscall.SIGKILL) })
	defer late.Stop()
	for {
		if _, err := syscall.Wait4(-group, nil, 0, nil); err != nil && !errors.Is(err, syscall.EINTR) {
			return // there is none
		}
	}
}
