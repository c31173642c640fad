package api

import (
	"strings"
	"sync"
	"time"
)

// recent is how long after a write of this client other responses may still show
// the state before it: replicas lag behind.
const recent = 30 * time.Second

// A memory keeps two promises: a 201 is believed only if it shows an object that
// nobody has seen before, and a replica that lags behind does not make an object
// of this run look gone. All times are local. The zero value is ready for use.
type memory struct {
	mu    sync.Mutex
	seen  map[string]time.Time // first time in a response or an update, by path
	made  map[string]time.Time // created by this client, by path
	wrote time.Time            // last write
}

// see records that an object exists.
func (m *memory) see(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen, m.made = map[string]time.Time{}, map[string]time.Time{}
	}
	if m.seen[path].IsZero() {
		m.seen[path] = time.Now()
	}
}

// create records that a request created an object, and returns false if the object
// existed before the request was sent.
func (m *memory) create(path string, sent time.Time) bool {
	m.see(path)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen[path].Before(sent) || !m.made[path].IsZero() {
		return false
	}
	m.made[path] = time.Now()
	return true
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

// madeAt returns when this client created an object; zero if it did not.
func (m *memory) madeAt(path string) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.made[path]
}

// namesNew reports whether a request names an object that this client has recently
// created, in its target or its body.
func (m *memory) namesNew(target, body string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for path, at := range m.made {
		id := path[strings.LastIndexByte(path, '/')+1:]
		if isRecent(at) && (strings.Contains(target+"/", "/"+id+"/") || strings.Contains(body, `"`+id+`"`)) {
			return true
		}
	}
	return false
}

func isRecent(at time.Time) bool { return !at.IsZero() && time.Since(at) < recent }
