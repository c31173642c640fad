package chaos

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestAccConfigure_proxyThatFails has a proxy that does not exist, or refuses. Nothing
// is known of base_url then.
func TestAccConfigure_proxyThatFails(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	t.Cleanup(refusing.Close)
	for proxy, says := range map[string]string{
		"http://127.0.0.1:1": "connection refused",
		refusing.URL:         "refused the connection with 403 Forbidden",
	} {
		tf := newTerraform(t, "https://api.example.com", "key-of-the-test", "resource \"tunnel_group_backend\" \"web\" {\n  labels = {}\n}\n")
		tf.Setenv(map[string]string{"HTTPS_PROXY": proxy, "NO_PROXY": ""})
		out, err := tf.Try(t, "plan", "-no-color")
		if err == nil || !acctest.InError("Could not reach the API through the proxy", says, "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY").MatchString(out) {
			t.Errorf("%s: %v\n%s", proxy, err, out)
		}
		for _, wrong := range []string{"Nothing answers", "The host of base_url", "Check base_url"} {
			if strings.Contains(out, wrong) {
				t.Errorf("%s: says %q:\n%s", proxy, wrong, out)
			}
		}
	}
}
