package main

import (
	"crypto/rand"
	"sync"
	"testing"
	"time"
)

// TestCommand_killLosesNoAnsweredWrite kills the command while several clients
// write, and checks that every write that got a response is still there after a
// restart.
func TestCommand_killLosesNoAnsweredWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	answered := map[string]string{} // from id to description
	var parents any
	for range 4 {
		p := start(t, "-data", dir)
		if parents != nil && parents != p.ready.Parents {
			t.Errorf("the parents are %v, were %v", p.ready.Parents, parents)
		}
		parents = p.ready.Parents
		checkAnswered(t, p, answered)
		writeUntilKilled(p, answered)
		if code := p.end(); code != -1 {
			t.Fatalf("the exit code is %d, it was not killed", code)
		}
	}
	if len(answered) < 50 {
		t.Errorf("only %d writes were answered", len(answered))
	}
	checkAnswered(t, start(t, "-data", dir), answered)
}

// writeUntilKilled records each write that gets a response, and kills the
// command while the clients write.
func writeUntilKilled(p *process, answered map[string]string) {
	var mutex sync.Mutex
	var clients sync.WaitGroup
	const until = 20 // objects
	written, enough := 0, make(chan struct{})
	for range 3 {
		clients.Go(func() {
			for {
				description := rand.Text()
				_, object, err := p.send("POST", "/backends/tunnel_group", `{"labels":{"a":"b"},"description":"`+description+`"}`)
				id, _ := object["id"].(string)
				if err != nil || id == "" {
					return
				}
				mutex.Lock()
				answered[id] = description
				if written++; written == until {
					close(enough)
				}
				mutex.Unlock()
			}
		})
	}
	select {
	case <-enough:
	case <-time.After(time.Minute): // the test finds too few objects
	}
	_ = p.Process.Kill()
	clients.Wait()
}

func checkAnswered(t *testing.T, p *process, answered map[string]string) {
	t.Helper()
	for id, description := range answered {
		if got := p.want(t, 200, "GET", "/backends/tunnel_group/"+id)["description"]; got != description {
			t.Errorf("%s is %v, want %s", id, got, description)
		}
	}
}
