//go:build race

package api

// raceEnabled reports whether the race detector is on. It allocates memory
// itself.
const raceEnabled = true
