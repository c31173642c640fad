package crud_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// refusing returns a provider of a service that refuses requests with a method, or closes
// the connection if the status is 0.
func refusing(t *testing.T, w *acctest.Env, method string, status int, settings map[string]tftypes.Value) *acctest.Protocol {
	t.Helper()
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == method && status == 0 {
			panic(http.ErrAbortHandler)
		} else if r.Method == method {
			rw.Header().Set("Date", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)) // no object is new
			rw.WriteHeader(status)
			fmt.Fprint(rw, `{"msg": "not now"}`)
			return
		}
		w.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	p := acctest.NewProtocol(t)
	arguments := map[string]tftypes.Value{"base_url": acctest.Text(front.URL), "api_key": acctest.Text(w.AdminKey)}
	maps.Copy(arguments, settings)
	p.Configure(arguments)
	return p
}

// The contract does not show with which status a service refuses to delete an object
// that is in use.
func TestDelete_inUseWithAnyStatus(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	used := w.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
	user := w.Create("/backends/failover", `{"backends":["`+used+`"]}`)
	unused := w.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
	for _, status := range []int{400, 409, 412, 422} {
		p := refusing(t, w, http.MethodDelete, status, nil)
		for id, want := range map[string]string{used: "still in use", unused: "not now"} {
			state, _ := p.Import(group, id, nil)
			_, found := p.Apply(group, state, tftypes.NewValue(state.Type(), nil))
			text := texts(found)
			if status == http.StatusConflict { // which says enough
				want = "still in use"
			}
			if len(found) != 1 || !strings.Contains(text, want) || strings.Contains(text, user) != (id == used) ||
				id == used && !strings.Contains(text, "a reference to "+group+".NAME instead") {
				t.Errorf("%d, want %q:\n%s", status, want, text)
			}
		}
	}
}

// Nothing refers to a module or an event source, so a conflict has another reason.
func TestDelete_referenceAdviceOnlyIfInUse(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := refusing(t, w, http.MethodDelete, http.StatusConflict, nil)
	for _, kind := range acctest.Kinds {
		state, _ := p.Import(kind.Type, kind.ImportID(kind.Create(t, w)), nil)
		_, found := p.Apply(kind.Type, state, tftypes.NewValue(state.Type(), nil))
		text := texts(found)
		if len(found) != 1 || !strings.Contains(text, "409 Conflict: not now") || strings.Contains(text, ".NAME") && !strings.Contains(text, "still in use") {
			t.Errorf("%s:\n%s", kind.Type, text)
		}
	}
}

// The error of a deletion names the object that uses the deleted one, and where it does.
func TestDelete_namesTheUser(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{}.New(t)
	destination := w.Create("/event_destinations", `{"target":{"debug":{"log":true}}}`)
	certificate := w.Create("/tls_certificates", quoted(t, object{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t)}))
	bot := w.Create("/bot_users", `{"name": "ci"}`)
	for _, test := range []struct {
		kind, id      string
		user          string // the path of its kind
		body          object
		noun, instead string
	}{
		{"tunnel_bot_user", bot, "/ssh_credentials", object{"public_key": testcert.PublicKey(t, ""), "owner_id": bot}, "SSH credential", "set another owner_id and apply"},
		{"tunnel_event_destination", destination, "/event_subscriptions", object{"destination_ids": []string{destination}}, "event subscription", ""},
		{"tunnel_tls_certificate", certificate, "/reserved_domains", object{"domain": "www.example.com", "certificate_id": certificate}, "reserved domain", ""},
		{
			"tunnel_reserved_domain", w.Create("/reserved_domains", `{"domain": "shop.example.com"}`), "/edges/https",
			object{"hostports": []string{"SHOP.example.com:443"}}, "HTTPS edge", "",
		},
		{"tunnel_reserved_address", w.Create("/reserved_addrs", `{}`), "/edges/tcp", object{"hostports": []string{"1.tcp.tunnel.example:20001"}}, "TCP edge", ""},
	} {
		user := w.Create(test.user, quoted(t, test.body))
		p := w.Protocol(t)
		state, _ := p.Import(test.kind, test.id, nil)
		_, found := p.Apply(test.kind, state, tftypes.NewValue(state.Type(), nil))
		acctest.Expect(t, found, tfprotov6.DiagnosticSeverityError, nil, test.noun+" "+user+" (", test.instead)
	}
}
