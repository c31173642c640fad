//go:build !linux

package explore

import (
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// Prepare returns an error, because explore does not know the processes of a run here.
func Prepare() error {
	return errors.New("explore needs Linux, because it waits for all processes of a run. Run it in a container")
}

func inGroup(*exec.Cmd)                     {}
func signalGroup(int, syscall.Signal) error { return nil }
func awaitGroup(int, time.Duration)         {}
