package eventsource_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const (
	address  = "tunnel_event_source.test"
	created  = "ip_policy_created.v0"
	updated  = "ip_policy_updated.v0"
	endpoint = "/event_subscriptions/{subscription_id}/sources"
)

func config(subscription, event string) string {
	return acctest.Resource(address, fmt.Sprintf("subscription_id = %q", subscription), fmt.Sprintf("type = %q", event))
}

func path(subscription, event string) string {
	return "/event_subscriptions/" + subscription + "/sources/" + event
}

func TestAccEventSource_lifecycle(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	subscription, other := w.CreateEventSubscription("http_request_complete.v0"), w.CreateEventSubscription()
	is := func(subscription, event string) resource.TestCheckFunc {
		return resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr(address, "uri", w.URL+path(subscription, event)),
			w.HoldsJSON(path(subscription, event), `{"type": "`+event+`"}`),
		)
	}
	isGone := func(subscription, event string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			if w.Exists(path(subscription, event)) {
				return fmt.Errorf("%s is still there", path(subscription, event))
			}
			return nil
		}
	}
	imported := resource.TestStep{
		Config: w.Config(config(subscription, created)), ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID,
		ImportStateIdFunc: func(*terraform.State) (string, error) { return subscription + "/" + created, nil },
	}
	w.Run(t,
		resource.TestStep{
			PreConfig:        w.ResetStats,
			Config:           w.Config(config(subscription, created)),
			ConfigPlanChecks: expect(plancheck.ResourceActionCreate),
			Check: resource.ComposeTestCheckFunc(is(subscription, created), func(*terraform.State) error {
				if got := w.Stats(); w.Sent() != 2 || got.Requests["GET "+endpoint] != 1 || got.Requests["POST "+endpoint] != 1 {
					return fmt.Errorf("creating took %v, want one list and one POST", got.Requests)
				}
				return nil
			}),
		},
		imported,
		resource.TestStep{
			Config: w.Config(config(subscription, updated)), ConfigPlanChecks: expect(plancheck.ResourceActionReplace),
			Check: resource.ComposeTestCheckFunc(is(subscription, updated), isGone(subscription, created)),
		},
		resource.TestStep{
			Config: w.Config(config(other, updated)), ConfigPlanChecks: expect(plancheck.ResourceActionReplace),
			Check: resource.ComposeTestCheckFunc(is(other, updated), isGone(subscription, updated)),
		},
		resource.TestStep{
			PreConfig: func() { w.Delete(path(other, updated)) },
			Config:    w.Config(config(other, updated)), ConfigPlanChecks: expect(plancheck.ResourceActionCreate), Check: is(other, updated),
		},
		resource.TestStep{
			Config: w.Config(config(other, updated)), Destroy: true, Check: isGone(other, updated),
		},
		resource.TestStep{Config: w.Config(config(other, updated))},
		resource.TestStep{
			PreConfig: func() { w.ForceDelete("/event_subscriptions/" + other) }, RefreshState: true, ExpectNonEmptyPlan: true,
		},
	)
	if !w.Exists(path(subscription, "http_request_complete.v0")) {
		t.Error("a source that is not Terraform's was deleted")
	}
}

// TestAccEventSource_createdMeanwhileIsNotAdopted simulates two clients that
// add the same source at the same time. Both get a list without it, and only
// one can create it.
func TestAccEventSource_createdMeanwhileIsNotAdopted(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	subscription := w.CreateEventSubscription(created)
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/sources") {
			rw.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(rw, `{"sources": [], "next_page_uri": null}`)
			return
		}
		w.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	w.Run(t, resource.TestStep{Config: strings.Replace(w.Config(config(subscription, created)), w.URL, front.URL, 1), ExpectError: acctest.InError(
		"The event source already exists", "terraform import tunnel_event_source.NAME "+subscription+"/"+created)})
	if got := w.Stats().Requests; got["POST "+endpoint] != 1 {
		t.Errorf("requests %v, want one POST", got)
	}
	if !w.Exists(path(subscription, created)) {
		t.Error("the source is gone")
	}
}

func TestAccEventSource_generatedConfigPlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	subscription := w.CreateEventSubscription(created, updated)
	w.GeneratedConfigPlansNoChange(t, address, subscription+"/"+updated)
}

// Nobody has seen such a type, but a service that accepts it has it in a list, which
// must be readable. The mistake can then be corrected.
func TestAccEventSource_twoDots(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	const mistake = "ip_policy_updated..v0"
	subscription, other := w.CreateEventSubscription(), w.CreateEventSubscription(mistake)
	w.Run(t,
		resource.TestStep{Config: w.Config(config(subscription, mistake)), ConfigPlanChecks: expect(plancheck.ResourceActionCreate)},
		resource.TestStep{Config: w.Config(config(subscription, updated)), ConfigPlanChecks: expect(plancheck.ResourceActionReplace)},
	)
	w.GeneratedConfigPlansNoChange(t, address, other+"/"+mistake)
}

func TestAccEventSource_invalidConfig(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	subscription := w.CreateEventSubscription()
	for name, c := range map[string]struct {
		config string
		want   []string
	}{
		"no version":      {config(subscription, "ip_policy_created"), []string{"type must end with the version of the event type", `Did you mean "ip_policy_created.v0"?`}},
		"no event type":   {config(subscription, "IP policy"), []string{"type must be an event type", "such as ip_policy_created.v0"}},
		"no subscription": {config("", created), []string{"subscription_id must be an ID; found an empty string"}},
	} {
		t.Run(name, func(t *testing.T) {
			w.Run(t, resource.TestStep{Config: w.Config(c.config), PlanOnly: true, ExpectError: acctest.InError(c.want...)})
		})
	}
	w.Run(t, resource.TestStep{
		Config: w.Config(config(subscription, created)), ResourceName: address, ImportState: true, ImportStateId: created,
		ExpectError: acctest.InError("Invalid import ID", "subscription_id/type, such as esb_2abc/ip_policy_created.v0"),
	})
	if total := w.Sent(); total != 0 {
		t.Errorf("%d requests were sent", total)
	}
	w.Run(t, resource.TestStep{Config: w.Config(config("esb_none", created)), ExpectError: acctest.InError("Error creating event source", "404 Not Found")})
}

func expect(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

// A key may add event sources, but not read the list that shows whether one
// exists.
func TestAccEventSource_listRefused(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	subscription := w.CreateEventSubscription()
	w.SetRules(testserver.Rule{Behavior: "html=403", Method: http.MethodGet, Route: endpoint})
	w.Run(t, resource.TestStep{
		Config:      w.Config(config(subscription, created)),
		ExpectError: acctest.InError("Before it creates an event source, the provider reads whether it exists: list event sources: 403 Forbidden"),
	})
}

// TestAccEventSource_listsWhatSubscriptionsDoNotShow uses a service whose
// subscriptions do not contain their sources.
func TestAccEventSource_listsWhatSubscriptionsDoNotShow(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	first, second := w.CreateEventSubscription(created, updated), w.CreateEventSubscription(updated)
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path == "/event_subscriptions" {
			rw.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(rw, `{"event_subscriptions": [{"id": %q}, {"id": %q, "sources": null}], "next_page_uri": null}`, first, second)
			return
		}
		w.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	const list = "data.tunnel_event_sources.all"
	w.Run(t, resource.TestStep{
		Config: strings.Replace(w.Config(`data "tunnel_event_sources" "all" {}`), w.URL, front.URL, 1),
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttr(list, "event_sources.#", "3"),
			resource.TestCheckResourceAttr(list, "event_sources.2.subscription_id", second),
		),
	})
}
