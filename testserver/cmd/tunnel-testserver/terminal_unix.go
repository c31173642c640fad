//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

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
