package testserver

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

var snapshotName = regexp.MustCompile(`^\.{0,63}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$`)

// controlSnapshots returns the names and times of the snapshots, sorted by name.
func (s *Server) controlSnapshots(c *engine.Call) (*engine.Answer, error) {
	saved, all := s.api.Store.Saved(), []map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(saved)) {
		all = append(all, map[string]any{"name": name, "created_at": saved[name].At})
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
	found, exists := s.api.Store.Saved()[name]
	switch remove := c.Request.Method == http.MethodDelete; {
	case (restores || remove) && !exists:
		return nil, problem.NotFound("snapshot", name)
	case restores && remove:
		return nil, problem.UnknownPath()
	case restores:
		if err := s.api.Store.Restore(found.Objects); err != nil {
			return nil, err
		}
		restored := s.success(c, http.StatusNoContent, nil)
		s.log.Note(c, restored, "snapshot "+name+" restored")
		return restored, nil
	case remove:
		return s.success(c, http.StatusNoContent, nil), s.api.Store.Save(name, nil)
	}
	saved := &store.Saved{At: s.api.Now(), Objects: s.api.Store.Snapshot()}
	return s.success(c, http.StatusCreated, map[string]any{"name": name}), s.api.Store.Save(name, saved)
}
