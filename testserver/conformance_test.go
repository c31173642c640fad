package testserver

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

// newConformance returns a run against a handler in front of a server.
func newConformance(s *Server, handler http.Handler, changes ...func(*conformance.Config)) *conformance.Run {
	config := conformance.Config{
		Document: apiContract(), Base: "http://localhost", Transport: conformance.Handler{Handler: handler},
		Key: s.AdminKey, ReadOnlyKey: s.ReadOnlyKey, Owner: s.OrdinaryOwner, Mark: "text", Throwaway: true,
	}
	for _, change := range changes {
		change(&config)
	}
	return conformance.New(context.Background(), config)
}

// TestConformance_allVariants derives valid and invalid requests from the
// document, for every route and field, and checks the status and details.field
// of each response.
func TestConformance_allVariants(t *testing.T) {
	t.Parallel()
	run := allVariants(t)
	for _, result := range run.Results {
		if result.Status != conformance.Agrees {
			t.Error(result)
		}
	}
	for _, violation := range measured.violations {
		t.Errorf("contract: %v", violation)
	}
	t.Logf("%d variants, %d requests", len(run.Results), run.Requests)
	if len(run.Results) < 5000 {
		t.Errorf("there are only %d variants", len(run.Results))
	}
}

// TestConformance_marksEverything checks, for an account that is not thrown away, that
// each object has the mark, and that each change is to an object that the run has made.
func TestConformance_marksEverything(t *testing.T) {
	t.Parallel()
	const mark = "tunnel-verify-abcdefghijklmnop"
	s, made, changes := New(), map[string]bool{}, 0
	front := anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
		if w.Code >= http.StatusBadRequest || r.Method == http.MethodGet {
			return
		}
		changes++
		path := r.URL.Path
		parts := strings.Split(strings.Trim(strings.NewReplacer("/backends/", "/backends:", "/edges/", "/edges:").Replace(path), "/"), "/")
		if r.Method == http.MethodPost && len(parts) == 1 {
			made[parts[0]+"/"+decodeAnswer(w.Body.Bytes())["id"].(string)] = true
			if !strings.Contains(w.Body.String(), mark) {
				t.Errorf("POST %s made an object without the mark: %s", path, w.Body)
			}
		} else if len(parts) < 2 || !made[parts[0]+"/"+parts[1]] {
			t.Errorf("%s %s changed an object of others", r.Method, path)
		}
	})(s)
	run := newConformance(s, front, func(c *conformance.Config) { c.Mark, c.Throwaway, c.StopAtFirst = mark, false, true })
	if err := run.All(); err != nil {
		t.Error(err, run.Differences())
	}
	if err := run.Clean(context.Background()); err != nil || changes < 500 {
		t.Errorf("%v after %d changes", err, changes)
	}
}

var measured struct {
	once       sync.Once
	run        *conformance.Run
	violations []error
}

// allVariants sends all variants to a server, once for all tests.
func allVariants(t *testing.T) *conformance.Run {
	t.Helper()
	measured.once.Do(func() {
		s := New(WithContractCheck(func(err error) { measured.violations = append(measured.violations, err) }))
		measured.run = newConformance(s, s)
		if err := measured.run.All(); err != nil {
			t.Error(err)
		}
	})
	return measured.run
}
