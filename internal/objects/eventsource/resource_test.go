package eventsource_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const (
	kind     = "tunnel_event_source"
	created  = "ip_policy_created.v0"
	updated  = "ip_policy_updated.v0"
	endpoint = "/event_subscriptions/{subscription_id}/sources"
)

func config(p *acctest.Protocol, subscription, event string) tftypes.Value {
	return acctest.FromJSON(p.Type(kind), map[string]any{"subscription_id": subscription, "type": event})
}

// create applies a source that is not in the state.
func create(p *acctest.Protocol, subscription, event string) []*tfprotov6.Diagnostic {
	_, found := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), config(p, subscription, event))
	return found
}

// answering returns a server that answers GET requests of a path itself.
func answering(t *testing.T, w *acctest.Env, path, answer string) {
	t.Helper()
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path == path {
			rw.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(rw, answer)
			return
		}
		w.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	w.URL = front.URL
}

// TestEventSource_createdMeanwhileIsNotAdopted simulates two clients that add the same
// source at the same time. Both get a list without it, and only one can create it.
func TestEventSource_createdMeanwhileIsNotAdopted(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	subscription := w.Create("/event_subscriptions", `{"sources":[{"type":"`+created+`"}]}`)
	answering(t, w, "/event_subscriptions/"+subscription+"/sources", `{"sources": [], "next_page_uri": null}`)
	acctest.Expect(t, create(w.Protocol(t), subscription, created), tfprotov6.DiagnosticSeverityError, nil,
		"The event source already exists", "terraform import tunnel_event_source.NAME "+subscription+"/"+created)
	if got := w.Stats().Requests; got["POST "+endpoint] != 1 {
		t.Errorf("requests %v, want one POST", got)
	}
	if !w.Exists("/event_subscriptions/" + subscription + "/sources/" + created) {
		t.Error("the source is gone")
	}
}

// A key may add event sources, but not read the list that shows whether one exists.
func TestEventSource_listRefused(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	subscription := w.Create("/event_subscriptions", "{}")
	w.SetRules(testserver.Rule{Behavior: "html=403", Method: http.MethodGet, Route: endpoint})
	acctest.Expect(t, create(w.Protocol(t), subscription, created), tfprotov6.DiagnosticSeverityError, nil,
		"Before it creates an event source, the provider reads whether it exists: list event sources: 403 Forbidden")
}

// TestEventSource_listsWhatSubscriptionsDoNotShow uses a service whose subscriptions do
// not contain their sources.
func TestEventSource_listsWhatSubscriptionsDoNotShow(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	first := w.Create("/event_subscriptions", `{"sources":[{"type":"`+created+`"},{"type":"`+updated+`"}]}`)
	second := w.Create("/event_subscriptions", `{"sources":[{"type":"`+updated+`"}]}`)
	answering(t, w, "/event_subscriptions", fmt.Sprintf(`{"event_subscriptions": [{"id": %q}, {"id": %q, "sources": null}], "next_page_uri": null}`, first, second))
	p := w.Protocol(t)
	found := p.Elements(p.DataSource("tunnel_event_sources", nil), "event_sources")
	if len(found) != 3 || p.Strings(found[2])["subscription_id"] != second {
		t.Errorf("found %v", found)
	}
}
