package testserver

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// TestTraffic_hostileAccount has an edge with many routes, and expressions that would
// work for hours. The test ends.
func TestTraffic_hostileAccount(t *testing.T) {
	t.Parallel()
	s := Start(t)
	first := s.Create("/backends/failover", `{"backends": []}`)
	https := s.Create("/edges/https", `{"hostports": ["www.example.com:443"]}`)
	for i := range 2000 {
		s.Create("/edges/https/"+https+"/routes", fmt.Sprintf(`{"match_type": "path_prefix", "match": "/%s", "backend": {"backend_id": "%s"}}`, strings.Repeat("a", i), first))
	}
	const list = "[0,1,2,3,4,5,6,7,8,9]"
	bomb := "true"
	for i := range 7 {
		bomb = fmt.Sprintf("%s.all(x%d, %s)", list, i, bomb)
	}
	s.Create("/edges/tls", `{"hostports": ["tls.example.com:443"], "backend": {"backend_id": "`+first+`"}, "policy": {"inbound": [
		{"expressions": ["`+bomb+`"], "actions": [{"type": "deny"}]},
		{"expressions": ["'`+strings.Repeat("a", 2000)+`'.matches('(a*)*(a*)*b')"], "actions": [{"type": "deny"}]}]}}`)
	for request, answer := range map[string]string{
		"https://www.example.com/" + strings.Repeat("a", 3000): "502: the failover backend is empty", "tls://tls.example.com": "closed: the failover backend is empty",
	} {
		found, err := s.Decide(request)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, request[:20], found.Answer, answer)
	}
}

// TestTraffic_hostileTexts has labels and a path with control characters. The report of
// them has none.
func TestTraffic_hostileTexts(t *testing.T) {
	t.Parallel()
	s := Start(t)
	recording, stop := s.Record()
	group := s.ForceCreate("/backends/tunnel_group", `{"labels": {"app": "\u001b[31m\n::error::"}}`)
	edge := s.Create("/edges/https", `{"hostports": ["www.example.com:443"]}`)
	s.ForceCreate("/edges/https/"+edge+"/routes", `{"match_type": "path_prefix", "match": "/\u001b[31m\n::warning::", "backend": {"backend_id": "`+group+`"}}`)
	stop()
	report := traffic.Report{}
	report.Add(recording.Follow(recording.Requests(), s.World(nil)), func(c traffic.Change) string { return c.Key + "\n\x1b" })
	var text strings.Builder
	if err := report.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(text.String(), "\x1b") || strings.Contains(text.String(), "\n::") || !strings.Contains(text.String(), "::error::") ||
		!strings.Contains(text.String(), "::warning::") {
		t.Errorf("%q", text.String())
	}
}
