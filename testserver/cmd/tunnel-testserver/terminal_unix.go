//go:build unix

package main

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// passedOn are the signals that the command gets instead of this program.
var passedOn = []os.Signal{
	os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2,
}

// fromTerminal reports whether an interrupt comes from the terminal, which sends it
// to all processes in the foreground. A command that gets it twice may stop without
// saving its state, as Terraform does.
func fromTerminal() bool {
	terminal, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer terminal.Close()
	foreground, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && foreground == unix.Getpgrp()
}
