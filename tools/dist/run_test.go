package main

import (
	"os/exec"
	"sync"
	"testing"
)

// TestArchive_runsWhileProcessesStart runs a program while this process starts
// others. Each of those holds, for a moment, what is open for writing here, and the
// kernel does not run a file that somebody may write ("text file busy").
func TestArchive_runsWhileProcessesStart(t *testing.T) {
	t.Parallel()
	a := &archive{release: release{version: "1.2.3"}, program: testServer, name: testServer,
		content: []byte("#!/bin/sh\necho " + testServer + " 1.2.3\n")}
	done := make(chan struct{})
	var others sync.WaitGroup
	for range 4 {
		others.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					if err := exec.Command("true").Run(); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	for range 300 {
		if err := a.run(); err != nil {
			t.Error(err)
			break
		}
	}
	close(done)
	others.Wait()
}
