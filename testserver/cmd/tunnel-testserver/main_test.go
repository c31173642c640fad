package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestCommand_keyInTheEnvironment(t *testing.T) {
	t.Setenv("TUNNEL_TESTSERVER_API_KEY", "key-of-the-environment")
	if want := "TUNNEL_API_KEY=key-of-the-environment\n"; !strings.HasSuffix(start(t).printed, want) {
		t.Errorf("it does not print %q", want)
	}
	if want := "TUNNEL_API_KEY=key-of-the-flag\n"; !strings.HasSuffix(start(t, "-api-key", "key-of-the-flag").printed, want) {
		t.Errorf("it does not print %q", want)
	}
	t.Setenv("TUNNEL_TESTSERVER_API_KEY", "")
	out, err := command().CombinedOutput()
	if want := "invalid environment variable TUNNEL_TESTSERVER_API_KEY: expected printable ASCII"; err == nil || !strings.Contains(string(out), want) {
		t.Errorf("%v: %s", err, out)
	}
}

func TestCommand_printsHowToUseIt(t *testing.T) {
	t.Parallel()
	p := start(t, "-api-key", "my-key")
	if want := fmt.Sprintf("export TUNNEL_BASE_URL=%s TUNNEL_API_KEY=my-key\n", p.ready.URL); p.printed != want {
		t.Errorf("it prints %q, want %q", p.printed, want)
	}
	if want := p.ready.URL + "/_testserver/#key=my-key"; p.ready.PageURL != want {
		t.Errorf("the page is at %q, want %q", p.ready.PageURL, want)
	}
	admin := p.ready.APIKey
	p.ready.APIKey = p.ready.OrdinaryAPIKey
	p.want(t, 200, "GET", "/ssh_credentials")
	p.want(t, 403, "GET", "/_testserver/stats")
	p.ready.APIKey = p.ready.ReadOnlyAPIKey
	p.want(t, 200, "GET", "/ssh_credentials")
	p.want(t, 403, "DELETE", "/ssh_credentials/none")
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.end() // the log is complete now
	if !strings.Contains(p.logs.String(), "path=/ssh_credentials status=200") {
		t.Error("the requests are not in the log")
	}
	if !strings.Contains(p.rest.String(), p.ready.PageURL+"\n") {
		t.Error("the address of the page is not printed")
	}
	for _, key := range []string{admin, p.ready.OrdinaryAPIKey, p.ready.ReadOnlyAPIKey} {
		if key == "" || strings.Contains(p.logs.String(), key) {
			t.Error("a key is in the log")
		}
		if !strings.Contains(p.rest.String(), "# "+key+" ") {
			t.Error("a key is not printed")
		}
	}
}

func TestCommand_stopsOnSignals(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := start(t, "-data", dir, "-behavior", "delay=10m")
			finished := make(chan error, 1)
			go func() { // a request in progress must complete
				status, _, err := p.send("POST", "/backends/tunnel_group", `{"labels":{"a":"b"}}`)
				if err == nil && status != http.StatusCreated {
					err = fmt.Errorf("status %d", status)
				}
				finished <- err
			}()
			eventually(t, func() bool { return p.want(t, 200, "GET", "/_testserver/stats")["in_flight"] == 1.0 })
			if err := p.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := <-finished; err != nil {
				t.Errorf("the request in progress: %v", err)
			}
			if code := p.end(); code != 0 {
				t.Errorf("the exit code is %d", code)
			}
			again := start(t, "-data", dir)
			if backends := again.want(t, 200, "GET", "/backends/tunnel_group")["backends"].([]any); len(backends) != 1 {
				t.Errorf("there are %d backends", len(backends))
			}
		})
	}
}

func TestCommand_flags(t *testing.T) {
	t.Parallel()
	rules := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(rules, []byte(`[{"method":"DELETE","behavior":"503"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	seed := filepath.Join(t.TempDir(), "seed.json")
	if err := os.WriteFile(seed, []byte(`[{"path":"/backends/tunnel_group","body":{"id":"bkdtg_one"}}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, "-clock", "2039-02-28T23:00:00Z", "-behavior", "rate_limit=3/1h,max_concurrent=5,delay=100ms", "-behavior", "seed=7,unset_module_null", "-behavior", rules, "-seed", seed)
	p.want(t, 200, "GET", "/_testserver/objects/backends/tunnel_group/bkdtg_one")
	p.want(t, 200, "GET", "/edges/tls/"+p.ready.Parents.TLSEdge+"/policy") // by default, this is 404
	if now, _ := p.want(t, 200, "GET", "/_testserver/clock")["now"].(string); !strings.HasPrefix(now, "2039-02-28T23:") {
		t.Errorf("the clock is at %s", now)
	}
	requests := p.want(t, 200, "GET", "/_testserver/requests")["requests"].([]any)
	if took := requests[0].(map[string]any)["duration_ms"].(float64); took < 100 {
		t.Errorf("the delay is %v ms", took)
	}
	p.want(t, 503, "DELETE", "/ssh_credentials/none")
	p.want(t, 404, "GET", "/ssh_credentials/none")
	p.want(t, 429, "GET", "/ssh_credentials/none")
}

func TestCommand_allowHost(t *testing.T) {
	t.Parallel()
	for flags, status := range map[string]int{"": 421, "-allow-host=build.corp.example.org": 200, "-allow-host=*": 200} {
		p := start(t, strings.Fields(flags)...)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.ready.URL+"/_testserver/stats", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "build.corp.example.org:8480"
		r.Header.Set("Authorization", "Bearer "+p.ready.APIKey)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != status {
			t.Errorf("%q: status %d, want %d", flags, response.StatusCode, status)
		}
	}
}

func TestCommand_errors(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() }) // close it after the parallel subtests
	dir := t.TempDir()
	start(t, "-data", dir)
	badRules := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(badRules, []byte(`[{"behavior":"500","route":"/typo"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	badSeed := filepath.Join(t.TempDir(), "seed.json")
	if err := os.WriteFile(badSeed, []byte(`[{"path":"/edges/tls","body":{"hostport":"a"}}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		flags []string
		code  int
		want  string // empty if it prints nothing
	}{
		"success":             {[]string{"--", "true"}, 0, ""},
		"failure":             {[]string{"--", "false"}, 1, ""},
		"flags of its":        {[]string{"--", "sh", "-c", "exit 3", "--", "-x"}, 3, ""},
		"killed":              {[]string{"--", "sh", "-c", "kill -KILL $$"}, 137, ""},
		"not found":           {[]string{"--", "no-such-command"}, 127, `"no-such-command": executable file not found`},
		"no such file":        {[]string{"--", "./no-such-command"}, 127, "no such file"},
		"not executable":      {[]string{"--", badRules}, 126, "permission denied"},
		"no server":           {[]string{"-listen", "192.0.2.1:1", "--", "true"}, 125, "listen"},
		"data is a file":      {[]string{"-data", badRules, "--", "true"}, 125, "data directory"},
		"invalid flag":        {[]string{"-behavior", "x", "--", "true"}, 2, "-behavior"},
		"no command":          {[]string{"--"}, 2, "expected a command after --"},
		"health, no URL":      {[]string{"health"}, 1, "expected the URL"},
		"health, no host":     {[]string{"health", "http://127.0.0.1:1"}, 1, "connection refused"},
		"port in use":         {[]string{"-listen", taken.Addr().String()}, 1, "another program uses the address: stop it, or use port 0 for a free port: listen: listen tcp " + taken.Addr().String()},
		"port of traffic":     {[]string{"-listen", "127.0.0.1:0", "-traffic", taken.Addr().String()}, 1, "another program uses the address: stop it, or use port 0 for a free port: traffic: "},
		"traffic for all":     {[]string{"-listen", "127.0.0.1:0", "-traffic", "0.0.0.0:0"}, 1, "other machines can reach 0.0.0.0:0: expected a loopback address, such as 127.0.0.1:0, or -allow-remote-traffic"},
		"ssh alone":           {[]string{"-ssh", "127.0.0.1:0"}, 2, "-ssh, -traffic-ca and -traffic-client-header need -traffic"},
		"no address":          {[]string{"-listen", "8480"}, 2, "invalid -listen"},
		"behavior":            {[]string{"-behavior", "list_smal_pages"}, 2, "did you mean list_small_pages?: expected seed=N, or one of delay"},
		"clock":               {[]string{"-clock", "2027-03-01"}, 2, "such as 2027-03-01T00:00:00Z"},
		"key with a newline":  {[]string{"-api-key", "a\nb"}, 2, "printable ASCII"},
		"unknown flag":        {[]string{"-colour", "red"}, 2, "not defined"},
		"no dashes":           {[]string{"-behavior", "seed=1", "terraform", "apply"}, 2, `unexpected argument "terraform": expected only flags, and a command after --`},
		"calendar, dates":     {[]string{"calendar", "-pipeline", "on merge: soon", "--", "terraform"}, 2, `expected daily, weekly or "on merge: 2027-03-14, 2027-09-01", found "on merge: soon"`},
		"calendar, from":      {[]string{"calendar", "-from", "2027-03-01", "--", "terraform"}, 2, "such as 2027-03-01T00:00:00Z"},
		"calendar, format":    {[]string{"calendar", "-format", "yaml", "--", "terraform"}, 2, "expected text or json"},
		"rehearse, flag":      {[]string{"rehearse", "-behavior", "seed=x", "--", "terraform"}, 1, "expected seed=N"}, // 2 is for changes
		"calendar, state":     {[]string{"calendar", "--", "terraform", "-state=x"}, 3, `found "-state=x"`},
		"data in use":         {[]string{"-listen", "127.0.0.1:0", "-data", dir}, 1, "another process is using it"},
		"bad seed":            {[]string{"-listen", "127.0.0.1:0", "-seed", badSeed}, 1, badSeed + `: seed, object 1, path "/edges/tls": member hostport: unknown field "hostport"`},
		"rule of no route":    {[]string{"-behavior", badRules}, 2, badRules + `: behavior 500: unknown route "/typo"`},
		"ready file is a dir": {[]string{"-listen", "127.0.0.1:0", "-ready-file", dir}, 1, "ready file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := command(test.flags...)
			output, _ := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() != test.code || !strings.Contains(string(output), test.want) {
				t.Errorf("exit code %d, output %s", cmd.ProcessState.ExitCode(), output)
			}
			if (len(output) == 0) != (test.want == "") || strings.Contains(string(output), "goroutine ") || test.code == 1 && test.want != "" && strings.Count(string(output), "\n") != 1 {
				t.Errorf("it does not print one line: %s", output)
			}
		})
	}
}

func TestCommand_tls(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "certificate.pem")
	p := start(t, "-tls", file)
	certificate, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(certificate)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	response, err := client.Get(p.ready.URL + "/ssh_credentials")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.Proto != "HTTP/2.0" || response.StatusCode != http.StatusUnauthorized {
		t.Errorf("the answer is %s %s", response.Proto, response.Status)
	}
}

func TestCommand_versionAndHelp(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{"-version": "tunnel-testserver", "-help": "-behavior"} {
		output, err := command(flag).CombinedOutput()
		if err != nil || !strings.Contains(string(output), want) {
			t.Errorf("%s: %v: %s", flag, err, output)
		}
	}
}
