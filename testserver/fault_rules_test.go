package testserver

import (
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
)

func TestFaultRule_hits(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		rules []Fault
		want  string // ten requests: . is not hit, 5 is 500, 2 is 502
	}{
		"all":                 {[]Fault{{Kind: Fault500}}, "5555555555"},
		"the third":           {[]Fault{{Kind: Fault500, Nth: 3}}, "..5......."},
		"three from third":    {[]Fault{{Kind: Fault500, Nth: 3, Count: 3}}, "..555....."},
		"the first two":       {[]Fault{{Kind: Fault500, Count: 2}}, "55........"},
		"the first rule":      {[]Fault{{Kind: Fault500, Count: 2}, {Kind: Fault502}}, "5522222222"},
		"each counts all":     {[]Fault{{Kind: Fault500, Nth: 2}, {Kind: Fault502, Nth: 3}}, ".52......."},
		"other method":        {[]Fault{{Kind: Fault500, Method: "POST"}}, ".........."},
		"this route":          {[]Fault{{Kind: Fault500, Route: "/ssh_credentials/{id}", Nth: 1}}, "5........."},
		"routes like this":    {[]Fault{{Kind: Fault500, Route: "/ssh_cred*", Nth: 1}}, "5........."},
		"any route":           {[]Fault{{Kind: Fault500, Route: "*", Nth: 1}}, "5........."},
		"other route":         {[]Fault{{Kind: Fault500, Route: "/ssh_credentials"}}, ".........."},
		"half, but at most 2": {[]Fault{{Kind: Fault500, Probability: 0.999, Count: 2}}, "55........"},
	} {
		t.Run(name, func(t *testing.T) {
			s := Start(t, WithFaults(test.rules...))
			equal(t, "requests hit", hits(t, s, 10), test.want)
		})
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
	return strings.ReplaceAll(pattern.String(), "0", "5")
}

func TestFaultRule_probabilityDependsOnTheSeed(t *testing.T) {
	t.Parallel()
	s := Start(t)
	send := func(seed uint64) string {
		s.SetFaults(Fault{Kind: Fault500, Probability: 0.25, Seed: seed})
		return hits(t, s, 400)
	}
	first, again, other := send(1), send(1), send(2)
	if first != again || first == other {
		t.Error("the same seed must hit the same requests, another one others")
	}
	if n := strings.Count(first, "5"); n < 60 || n > 140 {
		t.Errorf("%d of 400 requests are hit, want about 100", n)
	}
}

func TestFaultRule_sparesControlEndpoints(t *testing.T) {
	t.Parallel()
	s := Start(t, WithFaults(Fault{Kind: FaultResetBefore}))
	want(t, s, 200, "GET", "/_testserver/stats", "")
	want(t, s, 200, "POST", "/_testserver/faults", `[]`)
	want(t, s, 200, "GET", "/ssh_credentials", "")
}

func TestFaultRule_overHTTP(t *testing.T) {
	t.Parallel()
	s := Start(t)
	rules := `[{"method":"POST","route":"/ssh_credentials","fault":"503","nth":1,"count":2,"seed":7,"retry_after":"9"},{"fault":"delay","delay":"1ms"}]`
	got := want(t, s, 200, "POST", "/_testserver/faults", `{"rules":`+rules+`}`)
	equal(t, "answer", got.body, map[string]int{"rules": 2})
	equal(t, "Retry-After", want(t, s, 503, "POST", "/ssh_credentials", newCredential("a")).header.Get("Retry-After"), "9")
	want(t, s, 200, "POST", "/_testserver/faults", rules)
	want(t, s, 503, "POST", "/ssh_credentials", newCredential("a"))
	want(t, s, 200, "POST", "/_testserver/faults", `[]`)
	want(t, s, 201, "POST", "/ssh_credentials", newCredential("a"))

	for name, body := range map[string]string{
		"no JSON":              `x`,
		"nothing":              ``,
		"a string":             `"500"`,
		"a rule, not a list":   `{"fault":"500"}`,
		"no rules":             `{}`,
		"unknown field":        `[{"fault":"500","color":"red"}]`,
		"unknown member":       `{"rules":[],"x":1}`,
		"unknown kind":         `[{"fault":"501"}]`,
		"no kind":              `[{}]`,
		"unknown method":       `[{"fault":"500","method":"post"}]`,
		"pattern as path":      `[{"fault":"500","path":"/ssh_credentials/{id}"}]`,
		"unknown route":        `[{"fault":"500","route":"/ssh_credential"}]`,
		"probability":          `[{"fault":"500","probability":1.5}]`,
		"probability 0":        `[{"fault":"500","probability":0}]`,
		"count 0":              `[{"fault":"500","count":0}]`,
		"nth 0":                `[{"fault":"500","nth":0}]`,
		"negative nth":         `[{"fault":"500","nth":-1}]`,
		"delay is a number":    `[{"fault":"delay","delay":5}]`,
		"delay without unit":   `[{"fault":"delay","delay":"5"}]`,
		"delay missing":        `[{"fault":"delay"}]`,
		"lag missing":          `[{"fault":"lag_list"}]`,
		"status of an error":   `[{"fault":"500","status":501}]`,
		"status without body":  `[{"fault":"html","status":204}]`,
		"lag of an age":        `[{"fault":"lag","delay":"-1s"}]`,
		"status of a redirect": `[{"fault":"redirect","status":200}]`,
		"before of a redirect": `[{"fault":"redirect","before":true}]`,
		"code of a reset":      `[{"fault":"reset_after","code":"goaway"}]`,
		"unknown code":         `[{"fault":"reset_stream_after","code":"x"}]`,
		"retry_after of delay": `[{"fault":"delay","delay":"1s","retry_after":"1"}]`,
	} {
		if got := send(t, s, "POST", "/_testserver/faults", body); got.status != 400 || got.text("msg") == "" {
			t.Errorf("%s: %d %s", name, got.status, got.raw)
		}
	}
}

func TestFaultRule_roundTripsJSON(t *testing.T) {
	t.Parallel()
	rules := []Fault{
		{Method: "GET", Route: "/edges/tls/{id}/policy", Kind: FaultHTML, Nth: 2, Probability: 0.5, Count: 3, Seed: 4, Delay: 1500 * time.Millisecond, RetryAfter: "date", Before: true, Status: 503},
		{Kind: Fault504After},
		{Kind: FaultResetStreamAfter, Code: "goaway"},
		{Kind: FaultClockSkew, Delay: -time.Minute},
	}
	read, err := ParseFaults(body.Marshal(rules))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "rules", read, rules)
	equal(t, "the short rule", asJSON(rules[1]), `{"fault":"504_after"}`)
}
