package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

const (
	providerName   = "terraform-provider-tunnel"
	meteredProgram = "TUNNELBENCH_METERED"
	usageFile      = "TUNNELBENCH_USAGE"
	resultsFile    = "TUNNELBENCH_RESULTS"
)

// usage is the total resource usage of the provider processes of one command.
type usage struct {
	CPU    float64 // seconds
	Memory int64   // maximum of all processes
}

// metered runs the provider as a child process and adds its resource usage to a
// file.
func metered(program string) int {
	os.Unsetenv(meteredProgram)
	cmd := exec.Command(program, os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	used, err := readUsage(os.Getenv(usageFile))
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	if own, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		used.CPU += seconds(own)
		used.Memory = max(used.Memory, own.Maxrss*1024) // Maxrss is in KiB on Linux
	}
	text, err := json.Marshal(used)
	if err == nil {
		err = os.WriteFile(os.Getenv(usageFile), text, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
	return cmd.ProcessState.ExitCode()
}

func readUsage(file string) (usage, error) {
	var used usage
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return used, nil
	}
	if err != nil {
		return used, err
	}
	return used, json.Unmarshal(text, &used)
}

func seconds(r *syscall.Rusage) float64 {
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
