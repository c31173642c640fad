package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

// profile runs verify -profile against a server.
func (p *process) profile(t *testing.T) (file string, profile *conformance.Profile) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "service.json")
	before := p.account(t)
	got := runVerify(p.client("verify", "-yes", "-profile", file))
	if got.code != 0 || !strings.Contains(got.out, " open points decided, ") {
		t.Fatalf("exit code %d: %s %s", got.code, got.out, got.messages)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if profile, err = conformance.ParseProfile(content); err != nil {
		t.Fatal(err)
	}
	if after := p.account(t); after != before {
		t.Errorf("the account has changed: %s", after)
	}
	p.checkMarks(t, printedMark.FindString(got.messages))
	return file, profile
}

// writeTo writes a value as JSON to a new file.
func writeTo(t *testing.T, value any) string {
	t.Helper()
	content, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "service.json")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestProfile_likeTheProfile starts a server like a profile, and a server like the
// profile that it has. The rate limit shows what a 429 contains.
func TestProfile_likeTheProfile(t *testing.T) {
	t.Parallel()
	given := &conformance.Profile{
		Quirks: []string{"list_oldest_first", "backends_kept", "forbidden_403", "no_retry_after", "times_vary"},
		Rules:  []string{"acl_lower", "cel_trimmed", "patch_204"},
	}
	first := start(t, "-like", writeTo(t, given), "-rate-limit", "40/1s")
	file, found := first.profile(t)
	if !slices.Equal(found.Quirks, given.Quirks) || !slices.Equal(found.Rules, given.Rules) {
		t.Errorf("quirks %q, rules %q", found.Quirks, found.Rules)
	}
	second := start(t, "-like", file, "-rate-limit", "40/1s")
	if _, again := second.profile(t); len(again.Differences(found)) > 0 || len(again.Decided()) != len(found.Decided()) {
		t.Errorf("the profiles differ in %q", again.Differences(found))
	}
}

func TestProfile_usage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		flags []string
		want  string
	}{
		"no file":   {[]string{"-like", filepath.Join(t.TempDir(), "none")}, "no such file"},
		"quirk":     {[]string{"-like", writeTo(t, conformance.Profile{Quirks: []string{"slow"}})}, `unknown quirk "slow"`},
		"rule":      {[]string{"-like", writeTo(t, conformance.Profile{Rules: []string{"slow"}})}, `unknown rule "slow"`},
		"no JSON":   {[]string{"-like", writeTo(t, "text")}, "invalid profile"},
		"two kinds": {[]string{"-like", writeTo(t, conformance.Profile{Quirks: []string{}}), "-quirks", "1"}, "-like cannot be used with -quirks"},
	} {
		if out, err := command(test.flags...).CombinedOutput(); err == nil || !strings.Contains(string(out), test.want) {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}
