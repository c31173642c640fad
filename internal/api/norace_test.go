//go:build !race

package api

// raceEnabled reports whether the race detector is on, which allocates itself.
const raceEnabled = false
