package main

// fromTerminal reports whether an interrupt comes from the console, which sends it
// to all its processes.
func fromTerminal() bool { return true }
