package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

// TestVerify_defaultServerAgrees verifies all kinds of the default server, and finds
// the account as it was.
func TestVerify_defaultServerAgrees(t *testing.T) {
	t.Parallel()
	p := start(t)
	before := p.account(t)
	cmd := p.client("verify", "-yes")
	cmd.Env = append(cmd.Env, "TUNNEL_READ_ONLY_API_KEY="+p.ready.ReadOnlyAPIKey)
	got := runVerify(cmd)
	if !regexp.MustCompile(`\n[5-9]\d{3} rules agree, 0 differ, 0 are decided otherwise, \d+ were not tried; `).MatchString(got.out) || got.code != 0 {
		t.Errorf("exit code %d: %s %s", got.code, got.out, got.messages)
	}
	if after := p.account(t); after != before {
		t.Errorf("the account has changed: %s", after)
	}
	for _, want := range []string{"all kinds of ", " requests, ", "operations, "} {
		if !strings.Contains(got.messages, want) {
			t.Errorf("%q is not in %s", want, got.messages)
		}
	}
}

// different is a service that refuses with 422 instead of 400, where the API
// documentation is silent. If it also contradicts it, a creation answers 200.
func different(t *testing.T, contradicts bool) *exec.Cmd {
	t.Helper()
	s := testserver.New()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		if s.ServeHTTP(answer, r); answer.Code == http.StatusBadRequest {
			answer.Code = http.StatusUnprocessableEntity
		} else if answer.Code == http.StatusCreated && contradicts {
			answer.Code = http.StatusOK
		}
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write([]byte(strings.Replace(answer.Body.String(), `"status_code":400`, `"status_code":422`, 1)))
	}))
	t.Cleanup(service.Close)
	cmd := command("verify", "-yes", "-only", "event_source")
	cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY="+s.AdminKey)
	return cmd
}

func TestVerify_reportsDifferences(t *testing.T) {
	t.Parallel()
	const route = "/event_subscriptions/{subscription_id}/sources"
	for format, check := range map[string]func(t *testing.T, out string){
		"text": func(t *testing.T, out string) {
			t.Helper()
			for _, want := range []string{
				" x expected status 400, found status 422\n", " x expected status 201, found status 200\n    POST " + route + ", ",
				" x there is no read-only key\n",
			} {
				if !strings.Contains(out, want) {
					t.Errorf("%q is not in %s", want, out)
				}
			}
		},
		"json": func(t *testing.T, out string) {
			t.Helper()
			var report struct{ Results []conformance.Result }
			if err := json.Unmarshal([]byte(out), &report); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			differs := slices.DeleteFunc(report.Results, func(r conformance.Result) bool { return r.Status != conformance.Differs })
			if len(differs) != 1 || differs[0].Expected != "status 201" || differs[0].Found != "status 200" {
				t.Errorf("%v", differs)
			}
		},
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			cmd := different(t, true)
			cmd.Args = append(cmd.Args, "-format", format)
			got := runVerify(cmd)
			if got.code != 1 {
				t.Errorf("exit code %d: %s", got.code, got.messages)
			}
			check(t, got.out)
		})
	}
}

// TestVerify_otherwiseIsNoFailure verifies a service that decides otherwise only where
// the API documentation is silent.
func TestVerify_otherwiseIsNoFailure(t *testing.T) {
	t.Parallel()
	cmd := different(t, false)
	cmd.Env = append(cmd.Env, "TUNNEL_READ_ONLY_API_KEY=")
	if got := runVerify(cmd); got.code != 0 || !strings.Contains(got.out, " 0 differ, ") || !strings.Contains(got.out, `"otherwise" does not count as a mistake`) {
		t.Errorf("exit code %d: %s%s", got.code, got.out, got.messages)
	}
}

// TestVerify_deletesEverything ends runs early in each way.
func TestVerify_deletesEverything(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		flags  []string
		rules  string
		signal os.Signal
		want   string // in the report or the messages
		left   bool   // objects whose creation had no clear response
	}{
		"interrupt":       {flags: []string{"-only", "tls_edge"}, signal: os.Interrupt, want: " x the run was interrupted"},
		"failing service": {flags: []string{"-only", "tls_edge"}, rules: `[{"behavior":"reset_after","method":"POST","nth":9,"count":20}]`, want: "no response to 3 requests in a row"},
		"error after a creation": {
			flags: []string{"-only", "https_edge_route"}, rules: `[{"behavior":"503_after","method":"POST","route":"/edges/https","nth":2}]`,
			want: "1 creations had no clear response: look for objects with the mark tunnel-verify-", left: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t)
			before := p.account(t)
			if test.rules != "" {
				if status, answer, err := p.send("POST", "/_testserver/behavior", test.rules); status != 200 {
					t.Fatal(answer, err)
				}
			}
			cmd := p.client(append([]string{"verify", "-yes"}, test.flags...)...)
			var got verified
			if test.signal == nil {
				got = runVerify(cmd)
			} else {
				got = interruptVerify(t, p, cmd, test.signal)
			}
			if got.code != 2 || !strings.Contains(got.out+got.messages, test.want) {
				t.Errorf("exit code %d: %s %s", got.code, got.out, got.messages)
			}
			if after := p.account(t); (after != before) != test.left {
				t.Errorf("the account: %s", after)
			}
		})
	}
}

// TestVerify_asksFirst sends nothing without -yes.
func TestVerify_asksFirst(t *testing.T) {
	t.Parallel()
	p := start(t)
	if got := runVerify(p.client("verify", "-only", "tls_edge")); got.code != 2 || !strings.Contains(got.messages, "to begin, use -yes") {
		t.Errorf("exit code %d: %s", got.code, got.messages)
	}
	if requests := p.want(t, 200, "GET", "/_testserver/requests")["requests"].([]any); len(requests) > 0 {
		t.Errorf("it sent %v", requests[0])
	}
}

func TestVerify_usage(t *testing.T) {
	t.Parallel()
	p := start(t)
	for name, test := range map[string]struct {
		flags []string
		want  string
	}{
		"argument": {[]string{"now"}, `unexpected argument "now"`},
		"format":   {[]string{"-format", "yaml"}, "expected text or json"},
		"kind":     {[]string{"-only", "tls"}, `expected one of [a-z_, ]*event_source, event_subscription`},
		"no rate":  {[]string{"-requests-per-minute", "0"}, "expects a positive integer"},
		"flag":     {[]string{"-fast"}, "not defined"},
	} {
		if got := runVerify(p.client(append([]string{"verify", "-yes"}, test.flags...)...)); got.code != 2 || !regexp.MustCompile(test.want).MatchString(got.messages) {
			t.Errorf("%s: exit code %d: %s", name, got.code, got.messages)
		}
	}
	if requests := p.want(t, 200, "GET", "/_testserver/requests")["requests"].([]any); len(requests) > 0 {
		t.Errorf("it sent %v", requests[0])
	}
	p.ready.APIKey = "wrong-key"
	if got := runVerify(p.client("verify", "-yes")); got.code != 2 || !strings.Contains(got.messages, `: 401 Unauthorized: check TUNNEL_API_KEY`) {
		t.Errorf("wrong key: exit code %d: %s", got.code, got.messages)
	}
}

// verified is the outcome of a verify command.
type verified struct {
	code          int
	out, messages string
}

// runVerify runs a verify command to its end.
func runVerify(cmd *exec.Cmd) verified {
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	_ = cmd.Run()
	return verified{cmd.ProcessState.ExitCode(), out.String(), messages.String()}
}

// account returns all objects of a server.
func (p *process) account(t *testing.T) string {
	t.Helper()
	return fmt.Sprint(p.want(t, 200, "GET", "/_testserver/export"))
}

// interruptVerify sends a signal to a run that has made objects.
func interruptVerify(t *testing.T, p *process, cmd *exec.Cmd, signal os.Signal) verified {
	t.Helper()
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	before := p.want(t, 200, "GET", "/_testserver/stats")["total"].(float64)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return p.want(t, 200, "GET", "/_testserver/stats")["total"].(float64) > before+300 })
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	return verified{cmd.ProcessState.ExitCode(), out.String(), messages.String()}
}
