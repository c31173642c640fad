package testserver

import (
	"strings"
	"testing"
	"time"
)

const behaviorPath = "/_testserver/behavior"

// notes returns the notes of the log, oldest first.
func notes(s *Server) (found []string) {
	for _, entry := range s.Requests() {
		if entry.Note != "" {
			found = append(found, entry.Note)
		}
	}
	return found
}

func TestBehavior_switchesAndSaysSoInTheLog(t *testing.T) {
	t.Parallel()
	s := Start(t, WithMaxConcurrent(9))
	want(t, s, 200, "GET", "/edges/tls", "")
	got := want(t, s, 200, "POST", behaviorPath, `{"latency":"20ms","rate_limit":"2/60s","quirks":["forbidden_403"],"normal_rules":["domain_dot"]}`)
	equal(t, "in force", got.body["in_force"], map[string]any{"faults": []any{}, "quirks": []string{"forbidden_403"},
		"normal_rules": []string{"domain_dot"}, "latency": "20ms", "rate_limit": "2/60s", "max_concurrent": 9})
	want(t, s, 403, "GET", "/edges/tls", "", as("unknown"))
	want(t, s, 200, "GET", "/edges/tls", "", header("User-Agent", "client/1"))
	want(t, s, 429, "GET", "/edges/tls", "")
	if last := s.Requests()[3]; last.Duration < 20*time.Millisecond {
		t.Errorf("a request took %v in spite of the latency", last.Duration)
	}
	entry := logged(t, s, "?number=2")[0]
	equal(t, "log", []any{entry["note"], entry["method"], entry["path"], entry["route"], entry["owner"]},
		[]any{"latency 20ms; rate limit 2/60s; quirks forbidden_403; normalization domain_dot", "POST", behaviorPath, "(control endpoint)", s.AdminOwner})
	equal(t, "counted", []any{s.Stats().Total, s.Stats().Requests}, []any{4, map[string]int{"GET /edges/tls": 4}})
	activity := want(t, s, 200, "GET", "/_testserver/activity?after=1", "").body["requests"].([]any)
	equal(t, "activity", []any{activity[0].(map[string]any)["note"], activity[2].(map[string]any)["user_agent"]}, []any{entry["note"], "client/1"})

	want(t, s, 200, "POST", behaviorPath, `{"latency":"0s","rate_limit":"","quirks":[],"normal_rules":[],"max_concurrent":0}`)
	want(t, s, 401, "GET", "/edges/tls", "", as("unknown"))
	want(t, s, 200, "POST", behaviorPath, `{"latency":"0s"}`) // as it is
	want(t, s, 200, "POST", "/_testserver/faults", `[{"fault":"503","method":"GET","route":"/edges/*","path":"/edges/`+s.AdminKey+`"}]`)
	want(t, s, 200, "POST", "/_testserver/faults", `[]`)
	equal(t, "notes", notes(s)[1:], []string{
		"no latency; no rate limit; no limit of concurrent requests; no quirks; no normalization", "faults 503 (GET /edges/*)", "no faults",
	})
	if log := asJSON(s.Requests()); strings.Contains(log, s.AdminKey) {
		t.Errorf("the log contains a key: %s", log)
	}
}

func TestBehavior_resetGoesBackToTheStart(t *testing.T) {
	t.Parallel()
	s := Start(t, WithLatency(time.Millisecond), WithRateLimit(100, time.Minute), WithNamedQuirks("list_small_pages"))
	before := want(t, s, 200, "GET", behaviorPath, "").body["in_force"]
	want(t, s, 200, "POST", behaviorPath, `{"latency":"0s","rate_limit":"1/60s","max_concurrent":3,"quirks":[],"normal_rules":["domain_dot"]}`)
	want(t, s, 200, "GET", "/edges/tls", "")
	want(t, s, 429, "GET", "/edges/tls", "")
	want(t, s, 204, "POST", "/_testserver/reset", `{"keep_objects":true}`)
	equal(t, "in force", want(t, s, 200, "GET", behaviorPath, "").body["in_force"], before)
	want(t, s, 200, "GET", "/edges/tls", "")
	s.SetNamedQuirks("forbidden_403")
	s.Reset()
	want(t, s, 403, "GET", "/edges/tls", "", as("unknown")) // what the program sets stays
}

func TestBehavior_refusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	s := Start(t)
	for body, field := range map[string]string{
		`{"latency":"fast"}`: "latency", `{"latency":"-1s"}`: "latency", `{"rate_limit":"120"}`: "rate_limit", `{"rate_limit":"0/60s"}`: "rate_limit",
		`{"max_concurrent":-1}`: "max_concurrent", `{"max_concurrent":1000001}`: "max_concurrent", `{"quirks":["none"]}`: "quirks", `{"latency":"11m"}`: "latency",
		`{"normal_rules":["none"]}`: "normal_rules", `{"latency":"5s","speed":1}`: "speed", `[]`: "",
	} {
		equal(t, body, want(t, s, 400, "POST", behaviorPath, body).field(), field)
	}
	for path, fields := range map[string]string{
		behaviorPath: "latency, max_concurrent, normal_rules, quirks, rate_limit", "/_testserver/clock": "advance, frozen, now", "/_testserver/reset": "keep_objects",
	} {
		equal(t, path, want(t, s, 400, "POST", path, `{"speed":1}`).text("msg"), `unknown field "speed": expected `+fields)
	}
	want(t, s, 401, "POST", behaviorPath, `{"latency":"5s"}`, as(""))
	want(t, s, 403, "POST", behaviorPath, `{"latency":"5s"}`, as(s.OrdinaryKey))
	equal(t, "in force", s.inForce(), Start(t).inForce())
	equal(t, "log", len(s.Requests()), 0)
	known := want(t, s, 200, "GET", behaviorPath, "").body["known"]
	equal(t, "known", known, map[string]any{"quirks": QuirkNames(), "normal_rules": NormalRules()})
}
