package testserver

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

var snapshotName = regexp.MustCompile(`^\.{0,63}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$`)

// snapshots are states of all objects by name, in memory. They share the objects that do
// not differ.
type snapshots struct {
	mutex  sync.Mutex
	byName map[string]snapshot
}

type snapshot struct {
	at      time.Time // by the clock of the server
	objects store.Snapshot
}

// controlSnapshots returns the names and times of the snapshots, sorted by name.
func (s *Server) controlSnapshots(c *engine.Call) (*engine.Answer, error) {
	s.snapshots.mutex.Lock()
	defer s.snapshots.mutex.Unlock()
	all := []map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.snapshots.byName)) {
		all = append(all, map[string]any{"name": name, "created_at": s.snapshots.byName[name].at})
	}
	return s.success(c, http.StatusOK, map[string]any{"snapshots": all}), nil
}

// controlSnapshot takes, restores or deletes the snapshot that the path names. A snapshot
// has all objects, and nothing else: the clock, the behavior and the log stay.
func (s *Server) controlSnapshot(c *engine.Call) (*engine.Answer, error) {
	name, restores := strings.CutSuffix(strings.TrimPrefix(c.Request.URL.EscapedPath(), controlPath+"snapshots/"), "/restore")
	if !snapshotName.MatchString(name) {
		return nil, problem.Invalid("name", "invalid name of a snapshot: expected 1 to 64 characters of a-z, A-Z, 0-9, ., _ and -, "+
			"and not only dots; found %s", problem.Printable(name))
	}
	s.snapshots.mutex.Lock()
	defer s.snapshots.mutex.Unlock()
	found, exists := s.snapshots.byName[name]
	switch remove := c.Request.Method == http.MethodDelete; {
	case (restores || remove) && !exists:
		return nil, problem.NotFound("snapshot", name)
	case restores && remove:
		return nil, problem.UnknownPath()
	case restores:
		if err := s.api.Store.Restore(found.objects); err != nil {
			return nil, err
		}
		restored := s.success(c, http.StatusNoContent, nil)
		s.log.Note(c, restored, "snapshot "+name+" restored")
		return restored, nil
	case remove:
		delete(s.snapshots.byName, name)
		return s.success(c, http.StatusNoContent, nil), nil
	case s.snapshots.byName == nil:
		s.snapshots.byName = map[string]snapshot{}
	}
	s.snapshots.byName[name] = snapshot{s.api.Now(), s.api.Store.Snapshot()}
	return s.success(c, http.StatusCreated, map[string]any{"name": name}), nil
}
