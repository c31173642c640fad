//go:build !windows

package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// aRelease is a repository whose programs are built, and only print their version.
type aRelease struct {
	dir     string
	archive string // of the provider for this machine
	env     []string
}

func newRelease(t *testing.T, env ...string) *aRelease {
	t.Helper()
	t.Parallel()
	for _, program := range []string{"gpg", "jq", "unzip"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	archive := fmt.Sprintf("dist/terraform-provider-tunnel_1.2.3_%s_%s.zip", runtime.GOOS, runtime.GOARCH)
	r := &aRelease{dir: t.TempDir(), archive: archive, env: env}
	built := filepath.Join(r.dir, "bin", "goreleaser")
	if err := os.MkdirAll(built, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, platform := range []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"} {
		for name, program := range map[string]string{"terraform-provider-tunnel": "terraform-provider-tunnel_v1.2.3", "tunnel-testserver": "tunnel-testserver"} {
			if strings.HasPrefix(platform, "windows") {
				program += ".exe"
			}
			file := filepath.Join("bin", "goreleaser", name+"_1.2.3_"+platform)
			r.write(t, file+".zip", string(zipOf(t, program, 0o755, []byte("#!/bin/sh\n[ -z \"$PASSPHRASE\" ] && echo "+name+" 1.2.3\n"))))
			r.write(t, file+".cdx.json", "{}")
		}
	}
	manifest, err := os.ReadFile("../../terraform-registry-manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	r.write(t, "terraform-registry-manifest.json", string(manifest))
	r.shell(t, "cp terraform-registry-manifest.json bin/goreleaser/terraform-provider-tunnel_1.2.3_manifest.json && cd bin/goreleaser && "+
		"sha256sum terraform-provider-tunnel_*.zip *_manifest.json >terraform-provider-tunnel_1.2.3_SHA256SUMS && rm *_manifest.json")
	r.dist(t, "collect")
	r.dist(t, "sign")
	return r
}

func (r *aRelease) write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// dist runs tools/dist.sh and returns what it prints.
func (r *aRelease) dist(t *testing.T, arguments ...string) string {
	t.Helper()
	out, err := r.try(t, arguments...)
	if err != nil {
		t.Fatalf("dist.sh %v: %v\n%s", arguments, err, out)
	}
	return out
}

func (r *aRelease) try(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	script, err := filepath.Abs("../../tools/dist.sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), script, arguments...)
	cmd.Dir, cmd.Env = r.dir, append(os.Environ(), r.env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r *aRelease) shell(t *testing.T, script string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-euc", script)
	cmd.Dir, cmd.Env = r.dir, append(os.Environ(), r.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// signAgain writes the checksums and signatures again, as somebody with the key can.
func (r *aRelease) signAgain(t *testing.T) {
	t.Helper()
	r.shell(t, "cd dist && sha256sum terraform-provider-tunnel_*.zip *_manifest.json >terraform-provider-tunnel_1.2.3_SHA256SUMS")
	r.dist(t, "sign")
}

// TestDist_verifies breaks a release in one way after another, from a good one.
func TestDist_verifies(t *testing.T) {
	r := newRelease(t, "PASSPHRASE=secret") // which no program of the release gets
	good := filepath.Join(t.TempDir(), "good")
	r.shell(t, "cp -R dist bin/dist-key.asc '"+filepath.Dir(good)+"' && mv '"+filepath.Dir(good)+"/dist' '"+good+"'")
	if out := r.dist(t, "verify", "bin/dist-key.asc", "v1.2.3"); !strings.Contains(out, "version 1.2.3, 29 files, nothing is wrong") {
		t.Errorf("it prints %s", out)
	}
	sums := "dist/terraform-provider-tunnel_1.2.3_SHA256SUMS"
	for name, test := range map[string]struct {
		change, want string
		then         func(t *testing.T)
	}{
		"file too many":              {change: "touch dist/terraform-provider-tunnel_1.2.3_plan9_amd64.zip", want: "> terraform-provider-tunnel_1.2.3_plan9_amd64.zip"},
		"missing archive":            {change: "rm dist/tunnel-testserver_1.2.3_linux_arm64.zip", want: "< tunnel-testserver_1.2.3_linux_arm64.zip"},
		"missing signature":          {change: "rm " + sums + ".sig", want: "< terraform-provider-tunnel_1.2.3_SHA256SUMS.sig"},
		"changed archive":            {change: "cp dist/tunnel-testserver_1.2.3_linux_arm64.zip " + r.archive, want: filepath.Base(r.archive) + ": FAILED"},
		"changed SBOM":               {change: "echo >dist/tunnel-testserver_1.2.3_linux_arm64.cdx.json", want: "linux_arm64.cdx.json: FAILED"},
		"signature of another file":  {change: "cp dist/tunnel-extras_1.2.3_checksums.txt.sig " + sums + ".sig", want: "is not a signature of"},
		"armored signature":          {change: "echo '-----BEGIN PGP SIGNATURE-----' >" + sums + ".sig", want: "is armored"},
		"sums without a platform":    {change: "sed -i.bak /linux_arm64/d " + sums + " && rm " + sums + ".bak", then: func(t *testing.T) { r.dist(t, "sign") }, want: "< terraform-provider-tunnel_1.2.3_linux_arm64.zip"},
		"sums with an SBOM":          {change: "cd dist && sha256sum terraform-provider-tunnel_1.2.3_linux_arm64.cdx.json >>../" + sums, then: func(t *testing.T) { r.dist(t, "sign") }, want: "> terraform-provider-tunnel_1.2.3_linux_arm64.cdx.json"},
		"manifest of protocol 5":     {change: "sed -i.bak s/6.0/5.0/ dist/*_manifest.json && rm dist/*.bak", then: r.signAgain, want: "protocol 6.0"},
		"key of somebody else":       {change: "true", then: func(t *testing.T) { r.dist(t, "sign"); r.shell(t, "cp '"+filepath.Dir(good)+"/dist-key.asc' bin") }, want: "is not a signature of"},
		"program of another version": {change: "true", then: r.packed("terraform-provider-tunnel_v1.2.3", 0o755, "#!/bin/sh\necho devel\n"), want: "-version does not print"},
		"program with another name":  {change: "true", then: r.packed("terraform-provider-tunnel", 0o755, ""), want: "> terraform-provider-tunnel\n"},
		"program that cannot run":    {change: "true", then: r.packed("terraform-provider-tunnel_v1.2.3", 0o644, ""), want: "is not executable"},
	} {
		t.Run(name, func(t *testing.T) {
			r.shell(t, "rm -rf dist && cp -R '"+good+"' dist && cp '"+filepath.Dir(good)+"/dist-key.asc' bin")
			r.shell(t, test.change)
			if test.then != nil {
				test.then(t)
			}
			if out, err := r.try(t, "verify", "bin/dist-key.asc"); err == nil || !strings.Contains(out, test.want) {
				t.Errorf("it ends with %v, and prints\n%s\nwant %s", err, out, test.want)
			}
		})
	}
}

// packed replaces the program for this machine, with checksums and signatures that fit.
func (r *aRelease) packed(program string, mode os.FileMode, content string) func(t *testing.T) {
	return func(t *testing.T) {
		t.Helper()
		r.write(t, r.archive, string(zipOf(t, program, mode, []byte(content))))
		r.signAgain(t)
	}
}

// TestDist_keys signs with a key that has a passphrase, and refuses keys that registries
// do not accept or that end soon.
func TestDist_keys(t *testing.T) {
	r := newRelease(t)
	// Each key has a home of its own: an agent that ends removes the socket of the next
	// one in the same home.
	newKey := func(passphrase, algorithm, expires string) {
		home, err := os.MkdirTemp("/tmp", "gpg-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = exec.Command("gpgconf", "--homedir", home, "--kill", "gpg-agent").Run()
			_ = os.RemoveAll(home)
		})
		r.env = []string{"GNUPGHOME=" + home}
		r.shell(t, "gpg --batch --quiet --pinentry-mode loopback --passphrase '"+passphrase+
			"' --quick-generate-key Test "+algorithm+" sign "+expires+" && gpg --armor --export >key.asc && "+
			"gpg --batch --pinentry-mode loopback --passphrase '"+passphrase+"' --armor --export-secret-keys >secret.asc")
	}
	for name, test := range map[string]struct{ algorithm, expires, want string }{
		"elliptic curve": {"ed25519", "never", "is not RSA"}, "expires soon": {"rsa2048", "170d", "expires within 180 days"},
	} {
		newKey("", test.algorithm, test.expires)
		if out, err := r.try(t, "key", "key.asc"); err == nil || !strings.Contains(out, test.want) {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
	newKey("open sesame", "rsa2048", "2y")
	secret, err := os.ReadFile(filepath.Join(r.dir, "secret.asc"))
	if err != nil {
		t.Fatal(err)
	}
	r.env = []string{"GPG_PRIVATE_KEY=" + string(secret), "PASSPHRASE=wrong"}
	if out, err := r.try(t, "sign"); err == nil {
		t.Errorf("it signs with a wrong passphrase: %s", out)
	}
	r.env[1] = "PASSPHRASE=open sesame"
	r.dist(t, "sign")
	r.dist(t, "verify", "key.asc")
}

// TestDist_keyInOneStep checks that only the step of the release that signs has the key.
func TestDist_keyInOneStep(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	workflow := string(content)
	for _, secret := range []string{"secrets.GPG_PRIVATE_KEY", "secrets.PASSPHRASE"} {
		before, _, _ := strings.Cut(workflow, secret)
		step := before[strings.LastIndex(before, "      - "):]
		if strings.Count(workflow, secret) != 1 || !strings.HasPrefix(step, "      - run: make dist-sign\n") {
			t.Errorf("%s is in the step %q, or in several", secret, step)
		}
	}
}
