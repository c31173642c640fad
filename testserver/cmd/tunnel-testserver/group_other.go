//go:build !linux

package main

import (
	"errors"
	"os/exec"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

// errSignals is the error of a system on which explore does not know the processes of a
// run.
var errSignals = errors.New("explore needs Linux, because it finds the processes of a run in /proc. Run it in a container")

func inGroup(*exec.Cmd)             {}
func sendSignals(int, explore.Kind) {}
func killGroup(int) error           { return nil }
func awaitGroup(int, time.Duration) {}
