//go:build !linux

package explore

import (
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// ErrSystem is the error of a system on which explore does not know the processes of a
// run.
var ErrSystem = errors.New("explore needs Linux, because it finds the processes of a run in /proc. Run it in a container")

func inGroup(*exec.Cmd)                     {}
func signalGroup(int, syscall.Signal) error { return nil }
func awaitGroup(int, time.Duration)         {}
