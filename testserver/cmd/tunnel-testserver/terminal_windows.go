package main

import (
	"os"
	"syscall"
)

// passedOn are the signals that the command gets instead of this program.
var passedOn = []os.Signal{os.Interrupt, syscall.SIGTERM}

// fromTerminal reports whether an interrupt comes from the console, which sends it
// to all its processes.
func fromTerminal() bool { return true }
