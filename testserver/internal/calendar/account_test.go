package calendar

import (
	"slices"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

func TestAccount_notes(t *testing.T) {
	t.Parallel()
	server := testserver.New(testserver.WithClock(func() time.Time { return at("2027-01-01 00:00:00") }))
	domain := server.Create("/reserved_domains", `{"domain": "new.example.com", "certificate_management_policy": {"authority": "letsencrypt"}}`)
	server.Create("/reserved_domains", `{"domain": "own.example.com"}`)
	server.ForceCreate("/api_keys", `{"id": "ak_old", "created_at": "2025-01-01T12:00:00Z"}`)
	server.Create("/api_keys", `{}`)
	a := &Account{server: server, addresses: map[string]string{domain: "tunnel_reserved_domain.new"}}
	want := []string{
		"tunnel_reserved_domain.new: managed, but without a certificate. The calendar does not know when the service issues the first one: " +
			"look at certificate_management_status",
		"2 API keys, whose end the API does not show: the oldest, ak_old, is of 2025-01-01, and 760 days old at the end of the calendar",
	}
	if got := a.Notes(at("2027-01-31 12:00:00")); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
