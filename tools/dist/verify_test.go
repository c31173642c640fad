package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

func TestVerify_acceptsRelease(t *testing.T) {
	t.Parallel()
	r, dir := newRelease(t, sharedKey())
	if found, err := findRelease(dir, twoPlatforms); err != nil || found.version != "1.2.3" {
		t.Errorf("the version is %q: %v", found.version, err)
	}
	if err := r.verify(dir, public(t, sharedKey()), now); err != nil {
		t.Error(err)
	}
}

// TestVerify_programsGetNoEnvironment makes a release whose program prints its
// environment.
func TestVerify_programsGetNoEnvironment(t *testing.T) {
	for _, name := range []string{"GPG_PRIVATE_KEY", "PASSPHRASE"} {
		t.Setenv(name, "secret of the release")
	}
	r, dir := newRelease(t, sharedKey())
	content := compile(t, t.TempDir(), twoPlatforms[0], "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() { fmt.Printf(\"environment %q\", os.Environ()) }\n")
	a, err := openArchive(dir, r, testServer, twoPlatforms[0])
	if err != nil {
		t.Fatal(err)
	}
	a.content = content
	if err := a.run(); err == nil || !strings.Contains(err.Error(), `prints "environment`) || strings.Contains(err.Error(), "secret") {
		t.Errorf("the program got an environment: %v", err)
	}
}

// TestRelease_keyInOneStep checks that only the step of the release that signs has
// the key.
func TestRelease_keyInOneStep(t *testing.T) {
	t.Parallel()
	workflow := contents(t, "../../.github/workflows", "release.yml")
	for _, secret := range []string{"secrets.GPG_PRIVATE_KEY", "secrets.PASSPHRASE"} {
		before, _, _ := strings.Cut(workflow, secret)
		if step := before[strings.LastIndex(before, "      - "):]; strings.Count(workflow, secret) != 1 || !strings.HasPrefix(step, "      - run: make dist-sign\n") {
			t.Errorf("%s is in the step %q, or in several", secret, step)
		}
	}
}

// TestVerify_refuses breaks a release in one way and expects exactly one
// finding.
func TestVerify_refuses(t *testing.T) {
	t.Parallel()
	other := twoPlatforms[1]
	for name, test := range map[string]struct {
		change func(t *testing.T, r release, dir string)
		want   string
	}{
		"a file too many": {func(t *testing.T, _ release, dir string) {
			write(t, dir, "terraform-provider-tunnel_1.2.3_plan9_amd64.zip", "x")
		}, "plan9_amd64.zip does not belong to the release"},
		"an archive with another name": {func(t *testing.T, r release, dir string) {
			move(t, dir, r.archive(testServer, other), "tunnel-testserver-1.2.3.zip")
		}, "tunnel-testserver-1.2.3.zip does not belong to the release\ntunnel-testserver_1.2.3_" + other + ".zip is missing"},
		"no archive for a platform": {func(t *testing.T, r release, dir string) {
			remove(t, dir, r.archive(provider, other))
		}, "terraform-provider-tunnel_1.2.3_" + other + ".zip is missing"},
		"a platform that the sums do not list": {func(t *testing.T, r release, dir string) {
			resign(t, dir, r.sums(), slices.DeleteFunc(r.forRegistries(), func(n string) bool { return strings.Contains(n, other) }), sharedKey())
		}, "SHA256SUMS: lists terraform-provider-tunnel_1.2.3_" + other + ".zip 0 times"},
		"an SBOM in the sums": {func(t *testing.T, r release, dir string) {
			resign(t, dir, r.sums(), append(r.forRegistries(), r.sbom(provider, other)), sharedKey())
		}, "SHA256SUMS: lists terraform-provider-tunnel_1.2.3_" + other + ".cdx.json, which does not belong there"},
		"sums of an SBOM missing": {func(t *testing.T, r release, dir string) {
			resign(t, dir, r.extraSums(), r.extras()[1:], sharedKey())
		}, "checksums.txt: lists " + (release{"1.2.3", twoPlatforms}).extras()[0] + " 0 times"},
		"sums in another form": {func(t *testing.T, r release, dir string) {
			sums := strings.Replace(contents(t, dir, r.sums()), "  ", " *", 1)
			write(t, dir, r.sums(), sums)
			signFile(t, dir, r.sums())
		}, "is not a checksum, two spaces and a name\nterraform-provider-tunnel_1.2.3_SHA256SUMS: lists"},
		"no signature": {func(t *testing.T, r release, dir string) {
			remove(t, dir, r.sums()+".sig")
		}, "SHA256SUMS.sig is missing"},
		"signature of something else": {func(t *testing.T, r release, dir string) {
			write(t, dir, r.sums()+".sig", contents(t, dir, r.extraSums()+".sig"))
		}, "SHA256SUMS: the signature: openpgp: invalid signature"},
		"signature with armor": {func(t *testing.T, r release, dir string) {
			var out bytes.Buffer
			if err := openpgp.ArmoredDetachSign(&out, sharedKey(), strings.NewReader(contents(t, dir, r.sums())), nil); err != nil {
				t.Fatal(err)
			}
			write(t, dir, r.sums()+".sig", out.String())
		}, "SHA256SUMS: the signature: is armored"},
		"another manifest": {func(t *testing.T, r release, dir string) {
			write(t, dir, r.manifest(), `{"version": 1, "metadata": {"protocol_versions": ["5.0"]}}`)
			resign(t, dir, r.sums(), r.forRegistries(), sharedKey())
		}, "manifest.json is not of version 1 with protocol 6.0"},
		"program for another platform": {func(t *testing.T, r release, dir string) {
			repack(t, r, dir, programName(provider, other), 0o755, build(t, provider, twoPlatforms[0]))
		}, other + ".zip: the program is for " + twoPlatforms[0]},
		"program with another name": {func(t *testing.T, r release, dir string) {
			write(t, dir, r.archive(provider, other), "")
			repack(t, r, dir, provider, 0o755, build(t, provider, other))
		}, other + ".zip has no terraform-provider-tunnel_v1.2.3"},
		"program that cannot be run": {func(t *testing.T, r release, dir string) {
			repack(t, r, dir, programName(provider, other), 0o644, build(t, provider, other))
		}, "has mode 644, want 755"},
		"program with the time of its build": {func(t *testing.T, r release, dir string) {
			path := filepath.Join(dir, r.archive(provider, other))
			writeArchiveAt(t, path, programName(provider, other), 0o755, build(t, provider, other), now)
			a, err := openArchive(dir, r, provider, other)
			if err != nil {
				t.Fatal(err)
			}
			signArchive(t, r, dir, a)
		}, other + ".zip: its files have different times"},
		"image of another program": {func(t *testing.T, r release, dir string) {
			image := contents(t, dir, r.imageFile())
			write(t, dir, r.imageFile(), strings.Replace(image, "1.2.3", "1.2.4", 1))
			resign(t, dir, r.extraSums(), r.extras(), sharedKey())
		}, "oci.tar is not the image of the programs in the archives"},
		"SBOM of another program": {func(t *testing.T, r release, dir string) {
			write(t, dir, r.sbom(provider, other), contents(t, dir, r.sbom(testServer, other)))
			resign(t, dir, r.extraSums(), r.extras(), sharedKey())
		}, other + ".cdx.json does not describe the program"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, dir := newRelease(t, sharedKey())
			test.change(t, r, dir)
			err := r.verify(dir, public(t, sharedKey()), now)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Count(err.Error(), "\n") != strings.Count(test.want, "\n") {
				t.Errorf("got %v\nwant %s", err, test.want)
			}
		})
	}
}

// TestVerify_refusesChangedArchive changes an archive after it was signed: a
// rebuilt asset.
func TestVerify_refusesChangedArchive(t *testing.T) {
	t.Parallel()
	r, dir := newRelease(t, sharedKey())
	file := r.archive(provider, twoPlatforms[1])
	write(t, dir, file, contents(t, dir, r.archive(testServer, twoPlatforms[1])))
	if err := r.verify(dir, public(t, sharedKey()), now); err == nil || !strings.Contains(err.Error(), "the checksum of "+file+" is wrong") {
		t.Errorf("got %v", err)
	}
}

func TestVerify_refusesKey(t *testing.T) {
	t.Parallel()
	year := 365 * 24 * time.Hour
	for name, test := range map[string]struct {
		algorithm packet.PublicKeyAlgorithm
		lifetime  time.Duration
		after     time.Duration
		want      string
	}{
		"expired":        {packet.PubKeyAlgoRSA, year, 2 * year, "key expired"},
		"expires soon":   {packet.PubKeyAlgoRSA, year, year - 100*24*time.Hour, "expires within 180 days"},
		"elliptic curve": {packet.PubKeyAlgoEdDSA, 0, 0, "neither RSA nor DSA"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key := newKey(t, test.algorithm, test.lifetime)
			r, dir := newRelease(t, key)
			if test.after > 0 {
				if err := errors.Join(r.verify(dir, public(t, key), now), checkKey(public(t, key), now)); err != nil {
					t.Fatalf("at first: %v", err)
				}
			}
			if checkKey(public(t, key), now.Add(test.after)) == nil {
				t.Error("the key alone is accepted")
			}
			err := r.verify(dir, public(t, key), now.Add(test.after))
			if err == nil || strings.Count(err.Error(), test.want) != 2 {
				t.Errorf("got %v\nwant %s, of both signatures", err, test.want)
			}
		})
	}
}

func TestVerify_refusesSignatureOfOtherKey(t *testing.T) {
	t.Parallel()
	r, dir := newRelease(t, sharedKey())
	err := r.verify(dir, public(t, newKey(t, packet.PubKeyAlgoRSA, 0)), now)
	if err == nil || strings.Count(err.Error(), "signature made by unknown entity") != 2 {
		t.Errorf("got %v", err)
	}
}

func TestVersion_isCanonical(t *testing.T) {
	t.Parallel()
	for version, valid := range map[string]bool{"0.1.0": true, "0.1.0-snapshot": true, "1.0.0-rc.1": true, "v0.1.0": false, "0.1": false, "0.1.0-01": false, "0.1.0+build": false} {
		dir := t.TempDir()
		write(t, dir, provider+"_"+version+"_SHA256SUMS", "")
		if _, err := findRelease(dir, allPlatforms); (err == nil) != valid {
			t.Errorf("%s: %v", version, err)
		}
	}
}

func TestSigningKey_readsSecretKey(t *testing.T) {
	t.Parallel()
	key := newKey(t, packet.PubKeyAlgoRSA, 0)
	if err := key.EncryptPrivateKeys([]byte("open sesame"), nil); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := armor.Encode(&out, openpgp.PrivateKeyType, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := key.SerializePrivateWithoutSigning(w, nil); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if _, err := signingKey(out.String(), "wrong"); err == nil || !strings.Contains(err.Error(), "PASSPHRASE does not unlock") {
		t.Errorf("a wrong passphrase: %v", err)
	}
	if _, err := signingKey(public(t, key), ""); err == nil || !strings.Contains(err.Error(), "not one armored secret key") {
		t.Errorf("a public key: %v", err)
	}
	unlocked, err := signingKey(out.String(), "open sesame")
	if err != nil {
		t.Fatal(err)
	}
	r, dir := newRelease(t, unlocked)
	if err := r.verify(dir, public(t, key), now); err != nil {
		t.Error(err)
	}
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func move(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func signFile(t *testing.T, dir, name string) {
	t.Helper()
	signature, err := sign(sharedKey(), []byte(contents(t, dir, name)))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, name+".sig", string(signature))
}

// repack packs another program for the second platform, and makes SBOM,
// checksums and signatures fit if it can be read.
func repack(t *testing.T, r release, dir, name string, mode os.FileMode, content []byte) {
	t.Helper()
	platform := r.platforms[1]
	writeArchive(t, filepath.Join(dir, r.archive(provider, platform)), name, mode, content)
	a, _ := openArchive(dir, r, provider, platform)
	signArchive(t, r, dir, a)
}

// signArchive makes SBOM, checksums and signatures fit to an archive, nil if it
// cannot be read.
func signArchive(t *testing.T, r release, dir string, a *archive) {
	t.Helper()
	if a != nil {
		bom, err := a.bom()
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, r.sbom(a.program, a.platform), string(bom))
	}
	resign(t, dir, r.sums(), r.forRegistries(), sharedKey())
	resign(t, dir, r.extraSums(), r.extras(), sharedKey())
}
