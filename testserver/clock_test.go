package testserver

import (
	"crypto/x509"
	"net/http"
	"strings"
	"testing"
	"time"
)

const day = 24 * time.Hour

func TestClock_overHTTP(t *testing.T) {
	t.Parallel()
	real := newClock() // 2026-11-21T08:15:30Z
	s := Start(t, WithClock(real.now))
	const clock = "/_testserver/clock"
	is := func(what, now string, frozen bool) {
		t.Helper()
		equal(t, what, want(t, s, 200, "GET", clock, "").body, map[string]any{"now": now, "frozen": frozen})
	}
	is("at the start", "2026-11-21T08:15:30Z", false)
	for _, step := range []struct {
		body, now string
		frozen    bool
	}{
		{`{"now":"2028-02-29T00:00:00Z"}`, "2028-02-29T00:00:00Z", false},
		{`{"advance":"1d12h"}`, "2028-03-01T12:00:00Z", false},
		{`{"frozen":true}`, "2028-03-01T12:00:00Z", true},
		{`{"advance":"60d"}`, "2028-04-30T12:00:00Z", true},
		{`{"now":"2028-04-30T12:00:00Z"}`, "2028-04-30T12:00:00Z", true},
		{`{"now":"2039-06-01T02:00:00+02:00","frozen":false}`, "2039-06-01T00:00:00Z", false},
		{`{"advance":"0s","frozen":true}`, "2039-06-01T00:00:00Z", true},
	} {
		want(t, s, 200, "POST", clock, step.body)
		is(step.body, step.now, step.frozen)
	}
	real.advance(time.Hour)
	is("frozen for an hour", "2039-06-01T00:00:00Z", true)
	want(t, s, 200, "POST", clock, `{"frozen":false}`)
	real.advance(time.Hour)
	is("running for an hour", "2039-06-01T01:00:00Z", false)
	for body, field := range map[string]string{
		`{"now":"2039-06-01T00:59:59Z"}`: "now",
		`{"now":"2200-01-01T00:00:00Z"}`: "now",
		`{}`:                             "now",
		`{"advance":"-1s"}`:              "advance",
		`{"advance":"999999999d"}`:       "advance",
		`{"advance":"1d","now":"2040-01-01T00:00:00Z"}`: "advance",
		`{"freeze":true}`: "freeze",
	} {
		equal(t, "field for "+body, want(t, s, 400, "POST", clock, body).field(), field)
	}
	is("after refusals", "2039-06-01T01:00:00Z", false)
	want(t, s, 204, "POST", "/_testserver/reset", `{"keep_objects":true}`)
	is("after a reset that keeps the objects", "2039-06-01T01:00:00Z", false)
	want(t, s, 204, "POST", "/_testserver/reset", "")
	is("after a reset", "2026-11-21T10:15:30Z", false)
}

func TestClock_responsesFollow(t *testing.T) {
	t.Parallel()
	real := newClock()
	s := Start(t, WithClock(real.now), WithBehavior("rate_limit=2/1m"))
	if err := s.SetClock(time.Date(2040, 2, 29, 12, 0, 0, 0, time.UTC), true); err != nil {
		t.Fatal(err)
	}
	answer := want(t, s, 201, "POST", "/ssh_host_certificates",
		`{"public_key":"`+sshLine(t, newKey(t, "p256"))+`","ssh_certificate_authority_id":"`+s.Parents.SSHCertificateAuthority+`"}`)
	equal(t, "times", []string{answer.text("created_at"), answer.text("valid_after"), answer.text("valid_until"), answer.header.Get("Date")},
		[]string{"2040-02-29T12:00:00Z", "2040-02-29T12:00:00Z", "2041-03-01T12:00:00Z", "Wed, 29 Feb 2040 12:00:00 GMT"})
	equal(t, "time in the log", s.Requests()[0].Time, s.Now())
	// The rate limit runs in real time, also while the clock stands still.
	want(t, s, 200, "GET", "/tls_certificates", "")
	want(t, s, http.StatusTooManyRequests, "GET", "/tls_certificates", "")
	real.advance(time.Minute)
	want(t, s, 200, "GET", "/tls_certificates", "")
	if err := s.SetClock(s.Now().Add(-time.Second), true); err == nil || !strings.Contains(err.Error(), "cannot go backwards") {
		t.Errorf("a clock that goes backwards: %v", err)
	}
}

func TestClock_renewsManagedCertificates(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lifetime       time.Duration
		now            string
		begin, renewal string // of the certificate in use
	}{
		"just before it is due": {90 * day, "2027-03-01T23:59:59Z", "2027-01-01T00:00:00Z", "2027-03-02T00:00:00Z"},
		"when it is due":        {90 * day, "2027-03-02T00:00:00Z", "2027-03-02T00:00:00Z", "2027-05-01T00:00:00Z"},
		"more than once":        {90 * day, "2027-05-01T00:00:01Z", "2027-05-01T00:00:00Z", "2027-06-30T00:00:00Z"},
		"six days":              {6 * day, "2027-01-09T00:00:00Z", "2027-01-07T00:00:00Z", "2027-01-10T00:00:00Z"},
		"after its end":         {90 * day, "2029-01-01T00:00:00Z", "2028-12-21T00:00:00Z", "2029-02-19T00:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Start(t, WithClock(newClock().now))
			leaf := issue(t, nil, newKey(t, "p256"), func(c *x509.Certificate) {
				c.DNSNames, c.NotBefore = []string{"www.example.com"}, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
				c.NotAfter = c.NotBefore.Add(test.lifetime)
			})
			first := s.Create("/tls_certificates", upload(leaf.pem, pkcs8(t, leaf.key)))
			id := s.ForceCreate("/reserved_domains", `{"domain":"www.example.com","certificate_id":"`+first+
				`","certificate_management_policy":{"authority":"letsencrypt","private_key_type":"rsa"}}`)
			own := s.Create("/reserved_domains", `{"domain":"own.example.com","certificate_id":"`+first+`"}`)
			pending := s.Create("/reserved_domains", `{"domain":"new.example.com","certificate_management_policy":{"authority":"letsencrypt"}}`)
			now, err := time.Parse(time.RFC3339, test.now)
			if err == nil {
				err = s.SetClock(now, true)
			}
			if err != nil {
				t.Fatal(err)
			}
			used := func(id string) string {
				reference, _ := s.Get("/reserved_domains/" + id)["certificate"].(map[string]any)
				return member(reference, "id")
			}
			certificate := s.Get("/tls_certificates/" + used(id))
			status, _ := s.Get("/reserved_domains/" + id)["certificate_management_status"].(map[string]any)
			equal(t, "begin and renewal", []string{member(certificate, "not_before"), member(status, "renews_at")}, []string{test.begin, test.renewal})
			equal(t, "names", certificate["subject_alternative_names"], map[string]any{"dns_names": []string{"www.example.com"}, "ips": []string{}})
			if renewed := test.begin != "2027-01-01T00:00:00Z"; renewed {
				equal(t, "key and times", []string{member(certificate, "private_key_type"), member(certificate, "issued_at"), member(certificate, "created_at")},
					[]string{"rsa", test.begin, test.begin})
			}
			equal(t, "the uploaded certificate", used(own), first)
			equal(t, "the one that is not there yet", used(pending), "")
		})
	}
}
