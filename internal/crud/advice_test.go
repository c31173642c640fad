package crud_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// advice has the beginning of each piece of advice, by what it is about.
var advice = map[string]string{
	"unconfirmed": "Try again in a minute", "rate limit": "or increase operation_timeout", "slow": "increase request_timeout",
	"changed": "The change may have been made", "deleted": "The object may have been deleted", "API key": "The service rejected the API key",
	"permission": "does not have permission", "gone": "does not exist. Check the IDs",
	"conflict": "An object with the same values may already exist", "service": "The service failed. Try again later",
}

// Each error has the advice for its situation and no other.
func TestApply_adviceOfEachFailure(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	id := w.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
	state, _ := w.Protocol(t).Import(group, id, nil)
	for _, test := range []struct {
		method string
		status int
		want   []string
	}{
		{http.MethodPatch, 400, nil},
		{http.MethodPatch, 401, []string{"API key"}},
		{http.MethodPatch, 403, []string{"permission"}},
		{http.MethodPatch, 404, []string{"gone"}},
		{http.MethodPatch, 409, []string{"conflict"}},
		{http.MethodPatch, 418, nil},
		{http.MethodPatch, 500, []string{"changed", "service"}},
		{http.MethodPatch, 501, []string{"changed", "service"}},
		{http.MethodPatch, 0, []string{"changed"}},
		{http.MethodDelete, 400, nil},
		{http.MethodDelete, 401, []string{"API key"}},
		{http.MethodDelete, 404, []string{"unconfirmed"}}, // the list contains the object
		{http.MethodDelete, 500, []string{"deleted", "service"}},
		{http.MethodDelete, 0, []string{"deleted"}},
		{http.MethodGet, 400, nil},
		{http.MethodGet, 403, []string{"permission"}},
		{http.MethodGet, 404, []string{"unconfirmed"}},
		{http.MethodGet, 500, []string{"service"}},
	} {
		p := refusing(t, w, test.method, test.status, map[string]tftypes.Value{
			"max_retries": acctest.Number(0), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true),
		})
		var text string
		switch test.method {
		case http.MethodGet:
			resp, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: group, CurrentState: p.Dynamic(state)})
			if err != nil {
				t.Fatal(err)
			}
			text = texts(resp.Diagnostics)
		case http.MethodDelete:
			_, found := p.Apply(group, state, tftypes.NewValue(state.Type(), nil))
			text = texts(found)
		default:
			_, found := p.Apply(group, state, acctest.FromJSON(state.Type(), object{"labels": object{"app": "api"}}))
			text = texts(found)
		}
		var got []string
		for about, beginning := range advice {
			if strings.Contains(text, beginning) {
				got = append(got, about)
			}
		}
		slices.Sort(got)
		verb := map[string]string{http.MethodGet: "reading", http.MethodDelete: "deleting", http.MethodPatch: "updating"}[test.method]
		if !slices.Equal(got, test.want) || !strings.HasPrefix(text, "ERROR: Error "+verb+" tunnel group backend\n") {
			t.Errorf("%s, %d: the advice is about %q, want %q:\n%s", test.method, test.status, got, test.want, text)
		}
	}
}
