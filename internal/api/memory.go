package api

import (
	"sync"
	"time"
)

// recent is how long after a creation or another write other responses may still show
// the state before it: replicas lag behind.
const recent = 30 * time.Second

// A memory has what this client has written. The zero value is ready for use.
type memory struct {
	made sync.Map // paths of the objects that this client has created, or that existed before

	mu    sync.Mutex
	wrote time.Time // last write
}

// write records a write.
func (m *memory) write() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wrote = time.Now()
}

// lastWrite returns the time of the last write; zero if there is none.
func (m *memory) lastWrite() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.wrote
}
