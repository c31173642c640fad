// Package client is a generated client of the API; see make client-test.
package client

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// startServer starts the test server and returns a client for it.
func startServer(t *testing.T) *ClientWithResponses {
	t.Helper()
	program, ready := filepath.Join(t.TempDir(), "testserver"), filepath.Join(t.TempDir(), "ready.json")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-C", "../..", "-o", program, "./testserver/cmd/tunnel-testserver").CombinedOutput(); err != nil {
		t.Fatalf("build the test server: %v\n%s", err, out)
	}
	server := exec.CommandContext(t.Context(), program, "-listen", "127.0.0.1:0", "-ready-file", ready)
	printed, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Wait() })                              // the context of the test ends before
	if _, err := bufio.NewReader(printed).ReadString('\n'); err != nil { // it prints when it listens
		t.Fatalf("the test server did not start: %v", err)
	}
	content, err := os.ReadFile(ready)
	if err != nil {
		t.Fatal(err)
	}
	var address struct {
		URL string `json:"url"`
		Key string `json:"api_key"`
	}
	if err := json.Unmarshal(content, &address); err != nil {
		t.Fatalf("the test server did not start: %v", err)
	}
	client, err := NewClientWithResponses(address.URL, WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+address.Key)
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestClient_backendAndPolicy(t *testing.T) {
	client := startServer(t)
	ctx, description := t.Context(), "made by a generated client"
	created, err := client.CreateFailoverBackendWithResponse(ctx, &CreateFailoverBackendParams{ServiceVersion: "2"}, FailoverBackendCreate{Description: &description})
	if err != nil || created.JSON201 == nil {
		t.Fatalf("create: %v, %s", err, created.Body)
	}
	if got := created.JSON201.Description; got == nil || *got != description || time.Since(created.JSON201.CreatedAt) > time.Minute {
		t.Errorf("create: got %s", created.Body)
	}
	list, err := client.ListFailoverBackendsWithResponse(ctx, &ListFailoverBackendsParams{ServiceVersion: "2"})
	if err != nil || list.JSON200 == nil || len(list.JSON200.Backends) != 1 || list.JSON200.Backends[0].Id != created.JSON201.Id {
		t.Errorf("list: %v, %s", err, list.Body)
	}
	deleted, err := client.DeleteFailoverBackendWithResponse(ctx, created.JSON201.Id, &DeleteFailoverBackendParams{ServiceVersion: "2"})
	if err != nil || deleted.StatusCode() != http.StatusNoContent {
		t.Errorf("delete: %v, %s", err, deleted.Body)
	}

	edge, err := client.CreateTLSEdgeWithResponse(ctx, &CreateTLSEdgeParams{ServiceVersion: "2"}, CreateTLSEdgeJSONRequestBody{})
	if err != nil || edge.JSON201 == nil {
		t.Fatalf("create an edge: %v, %s", err, edge.Body)
	}
	rules := []PolicyRuleInput{{Actions: []PolicyActionInput{{Type: "deny"}}}}
	policy, err := client.ReplaceTLSEdgePolicyWithResponse(ctx, edge.JSON201.Id, &ReplaceTLSEdgePolicyParams{ServiceVersion: "2"}, PolicyReplace{Inbound: &rules})
	if err != nil || policy.JSON200 == nil || policy.JSON200.Inbound == nil || len(*policy.JSON200.Inbound) != 1 {
		t.Errorf("set the policy: %v, %s", err, policy.Body)
	}
	rules[0].Actions = nil
	refused, err := client.ReplaceTLSEdgePolicyWithResponse(ctx, edge.JSON201.Id, &ReplaceTLSEdgePolicyParams{ServiceVersion: "2"}, PolicyReplace{Inbound: &rules})
	if err != nil || refused.JSON400 == nil {
		t.Errorf("a rule without actions: %v, %s", err, refused.Body)
	}
}
