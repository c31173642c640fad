package testserver

import (
	"fmt"
	"strings"
	"testing"
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
