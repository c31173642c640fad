package testserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

func TestClient_createsOneBackend(t *testing.T) {
	t.Parallel()
	server := testserver.Start(t)
	create(t, server.URL, server.AdminKey)
	if n := server.Stats().Requests["POST /backends/tunnel_group"]; n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

// create is your client.
func create(t *testing.T, url, key string) {
	t.Helper()
	request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/backends/tunnel_group", strings.NewReader(`{"labels": {"app": "web"}}`))
	request.Header = http.Header{"Authorization": {"Bearer " + key}, "Service-Version": {"2"}, "Content-Type": {"application/json"}}
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != http.StatusCreated {
		t.Fatal(response, err)
	}
	_ = response.Body.Close()
}
