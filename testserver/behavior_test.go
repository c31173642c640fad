package testserver

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
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

// TestBehaviors_areOneList finds names that no server asks for, and that are asked for
// but in no list.
func TestBehaviors_areOneList(t *testing.T) {
	t.Parallel()
	listed := map[string]string{}
	for _, b := range Behaviors() {
		if listed[b.Name] != "" || !strings.HasSuffix(b.Says, ".") || b.Group == "" {
			t.Errorf("%+v: expected a new name, a group and one sentence", b)
		}
		listed[b.Name] = b.Group
	}
	asked := map[string]bool{}
	for _, folder := range []string{"engine", "kinds", "behavior"} {
		files, err := filepath.Glob(filepath.Join("internal", folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range regexp.MustCompile(`(?:Behaves\(|a\.on\[)"(\w+)"`).FindAllSubmatch(content, -1) {
				asked[string(found[1])] = true
			}
		}
	}
	for name := range asked {
		if listed[name] == "" {
			t.Errorf("%s is in no list", name)
		}
	}
	for name, group := range listed {
		if group == "choices" && !asked[name] {
			t.Errorf("nothing asks for %s", name)
		}
	}
}

func TestRules_hits(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		rules []Rule
		want  string // ten requests: . is not hit, 3 is 503, 0 is 500
	}{
		"all":                 {[]Rule{{Behavior: "503"}}, "3333333333"},
		"the third":           {[]Rule{{Behavior: "503", Nth: 3}}, "..3......."},
		"three from third":    {[]Rule{{Behavior: "503", Nth: 3, Count: 3}}, "..333....."},
		"each counts all":     {[]Rule{{Behavior: "503", Nth: 2}, {Behavior: "500", Nth: 3}}, ".30......."},
		"this route":          {[]Rule{{Behavior: "503", Route: "/ssh_credentials/{id}", Nth: 1}}, "3........."},
		"routes like this":    {[]Rule{{Behavior: "503", Route: "/ssh_cred*", Nth: 1}}, "3........."},
		"path":                {[]Rule{{Behavior: "503", Path: "/ssh_credentials/none", Nth: 2}}, ".3........"},
		"half, but at most 2": {[]Rule{{Behavior: "503", Probability: 0.999, Count: 2}}, "33........"},
	} {
		s := Start(t, WithRules(test.rules...))
		equal(t, name, hits(t, s, 10), test.want)
	}
	s := Start(t)
	random := func(seed uint64) string {
		s.SetRules(Rule{Behavior: "503", Probability: 0.25, Seed: seed})
		return hits(t, s, 400)
	}
	first, again, other := random(1), random(1), random(2)
	if n := strings.Count(first, "3"); first != again || first == other || n < 60 || n > 140 {
		t.Errorf("the same seed must hit the same requests, another one others, and %d of 400 are hit, want about 100", n)
	}
}

// hits sends requests and returns one character for each response.
func hits(t *testing.T, s *Server, times int) string {
	var pattern strings.Builder
	for range times {
		switch got := send(t, s, "GET", "/ssh_credentials/none", ""); got.status {
		case 404:
			pattern.WriteByte('.')
		default:
			pattern.WriteByte("0123456789"[got.status%10])
		}
	}
	return pattern.String()
}

// TestRules_hitOneClient breaks the requests of one of two tests that share a server, by
// a header, by the client and by the query.
func TestRules_hitOneClient(t *testing.T) {
	t.Parallel()
	s := Start(t)
	want(t, s, 200, "POST", behaviorPath, `[{"behavior":"503","header":{"x-test":"one"}},{"behavior":"500","header":{"User-Agent":"py*"}},{"behavior":"404","query":{"limit":"7"}},
		{"behavior":"error=403","header":{"X-Other":"*","User-Agent":""}}]`)
	for status, change := range map[int]func(*http.Request){
		503: header("X-Test", "one"), 500: header("User-Agent", "python/3"), 404: func(r *http.Request) { r.URL.RawQuery = "limit=7" },
		403: func(r *http.Request) { r.Header.Set("X-Other", "1"); r.Header.Set("User-Agent", "") }, 200: header("X-Test", "one more"),
	} {
		want(t, s, status, "GET", "/edges/tls", "", change)
	}
	want(t, s, 200, "GET", "/edges/tls", "", header("X-Other", "1"))
}

// TestRules_ownErrors answers with the errors of another service.
func TestRules_ownErrors(t *testing.T) {
	t.Parallel()
	s := Start(t)
	for status := 400; status < 600; status++ {
		rules := fmt.Sprintf(`[{"behavior":"error=%d","code":"ERR_TUNNEL_7","message":"not \u00e4gain"}]`, status)
		want(t, s, 200, "POST", behaviorPath, rules)
		got := want(t, s, status, "POST", groups, `{"labels":{"a":"b"}}`)
		equal(t, "error", []any{got.body["status_code"], got.text("error_code"), got.text("msg")}, []any{status, "ERR_TUNNEL_7", "not \u00e4gain"})
	}
	s.SetRules(Rule{Behavior: "429=3", Message: "slowly"}, Rule{Behavior: "error=409"})
	got := want(t, s, 429, "GET", groups, "")
	equal(t, "429", []string{got.text("error_code"), got.text("msg"), got.header.Get("Retry-After")}, []string{"ERR_TUNNEL_226", "slowly", "3"})
	equal(t, "objects", len(s.List(groups)), 0)
}

// TestRules_hitOneObject selects one object of a run by members of its creation.
func TestRules_hitOneObject(t *testing.T) {
	t.Parallel()
	s := Start(t)
	const rules = `[{"behavior":"503","method":"POST","body":{"description":"db1","labels":{"a":"b"}}}]`
	want(t, s, 200, "POST", behaviorPath, rules)
	for description, status := range map[string]int{"db1": 503, "db2": 201, "db": 201} {
		want(t, s, status, "POST", groups, `{"description": "`+description+`", "labels": {"a": "b", "c": "d"}, "metadata": "m"}`)
	}
	want(t, s, 201, "POST", groups, `{"description": "db1", "labels": {"c": "d"}}`)
	read, err := ParseRules([]byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the same rules", string(body.Marshal(read)), rules)
}

func TestRules_refusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	s := Start(t)
	for text, wanted := range map[string]string{
		`x`:                               "line 1: expected JSON; found \"x\"",
		"[\n  \"503\",\n  {\"nth\": 1,}]": `line 3: expected JSON; found "}"`,
		``:                                "expected JSON; found the end of the text",
		`"500"`:                           "expected a list, found a string",
		`{"behavior":"500"}`:              "expected a list such as",
		`[1]`:                             "expected an object, found a number",
		`["list_smal_pages"]`:             `unknown behavior "list_smal_pages", did you mean list_small_pages?: expected seed=N, or one of delay, `,
		`["seed=x"]`:                      "expected seed=N with a number of 0 or more; found",
		`[{"behavior":"seed=1","nth":2}]`: "seed has no conditions",
		`["delay"]`:                       `behavior delay: expected delay=DURATION[-DURATION] with a unit, at most 24h, such as =200ms or =20ms-80ms; found "delay"`,
		`["delay=2s-1s"]`:                 `found "delay=2s-1s"`,
		`["error=399"]`:                   "expected error=STATUS from 400 to 599",
		`["hold=1s"]`:                     `expected hold; found "hold=1s"`,
		`["html=204"]`:                    "from 200 to 599 that allows a body",
		`["429=soon"]`:                    "a number of seconds or none",
		`["rate_limit=120"]`:              "rate_limit=NUMBER/DURATION, such as =120/60s",

		`[{"behavior":"500","metod":"GET"}]`:                               `unknown field "metod", did you mean method?`,
		`[{"behavior":"500","nth":"3"}]`:                                   "nth: expected a number, found a string",
		`[{"behavior":"500","probability":1.5}]`:                           "probability must be between 0 and 1",
		`[{"behavior":"500","nth":-1}]`:                                    "nth and count must not be negative",
		`[{"behavior":"500","method":"post"}]`:                             `unknown method "post" of any route: expected DELETE, GET, PATCH, POST, PUT`,
		`[{"behavior":"500","method":"PATCH","route":"/ssh_credentials"}]`: `unknown method "PATCH" of /ssh_credentials: expected GET, POST`,
		`[{"behavior":"500","method":"PUT","path":"/bot_users/bot_1"}]`:    `unknown method "PUT" of /bot_users/bot_1: expected DELETE, GET, PATCH`,
		`[{"behavior":"500","path":"/ssh_credential/x"}]`:                  "invalid path",
		`[{"behavior":"500","header":{"authorization":"x"}}]`:              "header authorization is secret: expected another one, such as X-Test",
		`[{"behavior":"html","message":"x"}]`:                              "code and message are of an error, such as error=409",
		`[{"behavior":"500","path":"/ssh_credentials/{id}"}]`:              "for a pattern, use route",
		`[{"behavior":"500","route":"/ssh_credential"}]`:                   `unknown route "/ssh_credential", did you mean /ssh_credentials?`,
		`[{"behavior":"500","body":[]}]`:                                   "body: expected an object, found a list",
	} {
		if got := want(t, s, 400, "POST", behaviorPath, text).text("msg"); !strings.Contains(got, wanted) {
			t.Errorf("%s: got %s, want %s", text, got, wanted)
		}
	}
	want(t, s, 400, "POST", behaviorPath+"?add=yes", `[]`)
	want(t, s, 401, "POST", behaviorPath, `["503"]`, as(""))
	want(t, s, 403, "POST", behaviorPath, `["503"]`, as(s.OrdinaryKey))
	equal(t, "in force", s.RulesInForce(), []Rule(nil))
	equal(t, "log", len(s.Requests()), 0)
	for path, fields := range map[string]string{"/_testserver/clock": "advance, frozen, now", "/_testserver/reset": "keep_objects"} {
		equal(t, path, want(t, s, 400, "POST", path, `{"speed":1}`).text("msg"), `unknown field "speed": expected `+fields)
	}
	equal(t, "member", want(t, s, 400, "POST", "/_testserver/clock", `{"frozn":true}`).text("msg"), `unknown field "frozn", did you mean frozen?: expected advance, frozen, now`)
	equal(t, "route", want(t, s, 404, "GET", "/edges/tsl", "").text("msg"), "unknown API path, did you mean /edges/tls?")
	if got := want(t, s, 400, "POST", "/_testserver/expect", `[{"rout":"/edges/tls","count":1}]`).text("msg"); !strings.Contains(got, "did you mean route?") {
		t.Error(got)
	}
	equal(t, "endpoint", want(t, s, 404, "GET", "/_testserver/behaviour", "").text("msg"), "unknown API path, did you mean behavior?")
}

func TestBehavior_switchesAndSaysSoInTheLog(t *testing.T) {
	t.Parallel()
	s := Start(t)
	want(t, s, 200, "GET", "/edges/tls", "")
	got := want(t, s, 200, "POST", behaviorPath, `["delay=20ms","rate_limit=2/60s","forbidden_403","domain_dot"]`)
	equal(t, "rules", len(got.body["rules"].([]any)), 4)
	equal(t, "known", len(got.body["known"].([]any)), len(Behaviors()))
	want(t, s, 403, "GET", "/edges/tls", "", as("unknown"))
	want(t, s, 200, "GET", "/edges/tls", "", header("User-Agent", "client/1"))
	want(t, s, 429, "GET", "/edges/tls", "")
	if last := s.Requests()[3]; last.Duration < 20*time.Millisecond {
		t.Errorf("a request took %v in spite of the delay", last.Duration)
	}
	entry := logged(t, s, "?number=2")[0]
	equal(t, "log", []any{entry["note"], entry["method"], entry["path"], entry["route"], entry["owner"]},
		[]any{"behavior: delay=20ms, rate_limit=2/60s, forbidden_403, domain_dot", "POST", behaviorPath, "(control endpoint)", s.AdminOwner})
	equal(t, "counted", []any{s.Stats().Total, s.Stats().Requests}, []any{4, map[string]int{"GET /edges/tls": 4}})
	activity := want(t, s, 200, "GET", "/_testserver/activity?after=1", "").body
	requests := activity["requests"].([]any)
	equal(t, "activity", []any{requests[0].(map[string]any)["note"], requests[2].(map[string]any)["user_agent"]}, []any{entry["note"], "client/1"})
	equal(t, "its rules", activity["rules"].([]any)[0], map[string]any{"rule": map[string]any{"behavior": "delay=20ms"}, "matched": 2, "hits": 2})

	want(t, s, 200, "POST", behaviorPath, `[]`)
	want(t, s, 200, "POST", behaviorPath, `[]`) // as it is
	want(t, s, 200, "POST", behaviorPath, `[{"behavior":"503","method":"GET","route":"/edges/*","path":"/edges/tls/`+s.AdminKey+`"}]`)
	want(t, s, 200, "POST", behaviorPath+"?add=true", `["list_small_pages"]`)
	equal(t, "notes", notes(s)[1:], []string{
		"behavior: the default", "behavior: 503 (GET /edges/*)", "behavior: 503 (GET /edges/*), list_small_pages",
	})
	if log := asJSON(s.Requests()); strings.Contains(log, s.AdminKey) {
		t.Errorf("the log contains a key: %s", log)
	}
}

func TestBehavior_resetGoesBackToTheStart(t *testing.T) {
	t.Parallel()
	s := Start(t, WithBehavior("rate_limit=2/60s", "list_small_pages"))
	before := s.RulesInForce()
	want(t, s, 200, "POST", behaviorPath, `["rate_limit=1/60s","domain_dot"]`)
	want(t, s, 200, "GET", "/edges/tls", "")
	want(t, s, 429, "GET", "/edges/tls", "")
	want(t, s, 204, "POST", "/_testserver/reset", `{"keep_objects":true}`)
	equal(t, "in force", s.RulesInForce(), before)
	want(t, s, 200, "GET", "/edges/tls", "")
	s.SetBehavior("forbidden_403") // besides that of the start
	equal(t, "in force", len(s.RulesInForce()), 3)
	s.Reset()
	want(t, s, 401, "GET", "/edges/tls", "", as("unknown"))
}

// TestSeed_chooses draws the same choices for the same seed, and all of them for some.
func TestSeed_chooses(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range 40 {
		names := fmt.Sprint("seed=", seed)
		one, again := New(WithBehavior(names)).RulesInForce(), New(WithBehavior(names)).RulesInForce()
		equal(t, names, one, again)
		for _, rule := range one {
			seen[rule.Behavior]++
		}
	}
	for _, choice := range Behaviors("choices") {
		if n := seen[choice.Name]; (n < 20 || n == 40) != (choice.Name == "require_reserved" || choice.Name == "unique_hostports") {
			t.Errorf("%d of 40 seeds choose %s", n, choice.Name)
		}
		delete(seen, choice.Name)
	}
	equal(t, "chosen, although the documentation is not silent", seen, map[string]int{})
}
