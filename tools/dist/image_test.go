package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

var distFlag = flag.String("dist", "", "run the image in this directory, from make dist, and not one of the current code")

// TestImage_runs unpacks the image with tar and jq, and runs it as a container
// engine does: as its user, with its entrypoint, a read-only file system and a
// volume.
func TestImage_runs(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the image is for Linux")
	}
	root, config := unpack(t, imageOf(t))
	if config.User == "" || strings.HasPrefix(config.User, "0") || config.User == "root" {
		t.Errorf("the user is %q, want another one than root", config.User)
	}
	volume := t.TempDir()
	c := container{root: root, volume: volume, config: config}

	first := c.start(t, "-listen", "127.0.0.1:0", "-data", "/data")
	t.Logf("ready after %s", first.took.Round(time.Millisecond))
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", first.Process.Pid))
	if err != nil || os.Geteuid() == 0 && !strings.Contains(string(status), fmt.Sprintf("Uid:\t%d\t%d\t", imageUser, imageUser)) {
		t.Errorf("the program runs as another user: %v\n%s", err, status)
	}
	created := first.send(t, http.MethodPost, "/backends/tunnel_group", `{"labels": {"team": "red"}}`)
	first.stop(t)

	again := c.start(t, "-listen", "127.0.0.1:0", "-data", "/data")
	found := again.send(t, http.MethodGet, "/backends/tunnel_group/"+created["id"].(string), "")
	if fmt.Sprint(found["labels"]) != "map[team:red]" {
		t.Errorf("after a restart the object is %v", found)
	}
	again.stop(t)

	// Everything but the volume is read-only, and without -data nothing is written.
	out, err := c.command("-listen", "127.0.0.1:0", "-data", "/elsewhere").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "read-only file system") {
		t.Errorf("a data directory outside of the volume: %v\n%s", err, out)
	}
	c.start(t, "-listen", "127.0.0.1:0").stop(t)
}

// imageOf returns the path of an image for this machine.
func imageOf(t *testing.T) string {
	t.Helper()
	if *distFlag != "" {
		r, err := findRelease(*distFlag, allPlatforms)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(*distFlag, r.imageFile())
	}
	dir, platform := t.TempDir(), runtime.GOOS+"_"+runtime.GOARCH
	r := release{version: "1.2.3", platforms: []string{platform}}
	program := filepath.Join(dir, testServer)
	cmd := exec.Command("go", "build", "-ldflags", "-s -w -X main.release="+r.version, "-o", program, "./testserver/cmd/tunnel-testserver")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	writeArchive(t, filepath.Join(dir, r.archive(testServer, platform)), testServer, 0o755, content)
	image, err := r.image(dir)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, r.imageFile(), string(image))
	return filepath.Join(dir, r.imageFile())
}

// imageConfig is the part of an image's configuration that engines use.
type imageConfig struct {
	User       string
	Entrypoint []string
	WorkingDir string
	Volumes    map[string]struct{}
}

// unpack returns the root directory and the configuration of the image for this
// machine.
func unpack(t *testing.T, file string) (root string, config imageConfig) {
	t.Helper()
	images, root := t.TempDir(), t.TempDir()
	shell(t, `tar -xf "$1" -C "$2"`, file, images)
	out := shell(t, `cd "$1"
		blob() { tr -d '"' | sed 's,^sha256:,blobs/sha256/,'; }
		index=$(jq '.manifests[0].digest' index.json | blob)
		image=$(jq --arg arch "$2" '.manifests[] | select(.platform == {os: "linux", architecture: $arch}).digest' "$index" | blob)
		(cd blobs/sha256 && sha256sum *) | awk '$1 != $2 {exit 1}'
		jq '.layers[].digest' "$image" | blob | while read -r layer; do tar -xzpf "$layer" -C "$3" --no-same-owner; done
		jq .config "$(jq .config.digest "$image" | blob)"`, images, runtime.GOARCH, root)
	if err := json.Unmarshal([]byte(out), &config); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"LICENSE", testServer + ".cdx.json"} {
		if info, err := os.Stat(filepath.Join(root, name)); err != nil || info.Size() == 0 {
			t.Errorf("the image has no %s: %v", name, err)
		}
	}
	return root, config
}

func shell(t *testing.T, script string, arguments ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-euc", script, "sh"}, arguments...)...)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, errors.String())
	}
	return string(out)
}

// container is what is needed to run an image.
type container struct {
	root, volume string
	config       imageConfig
}

// command runs the image. Mounts need root, so it uses sudo if the test has
// another user.
func (c container) command(arguments ...string) *exec.Cmd {
	line := []string{"unshare", "--mount", "sh", "-euc", `root=$1 volume=$2 user=$3 directory=$4; shift 4
		chown "$user" "$volume"
		mount --bind "$root" "$root"
		mount --bind "$volume" "$root/data"
		mount -o remount,bind,ro "$root"
		cd "$root$directory"
		exec chroot --userspec="$user" "$root" "$@"`, "sh", c.root, c.volume, c.config.User, c.config.WorkingDir}
	if os.Geteuid() != 0 {
		line = append([]string{"sudo", "-n"}, line...)
	}
	line = append(append(line, c.config.Entrypoint...), arguments...)
	cmd := exec.Command(line[0], line[1:]...) //nolint:gosec // the arguments are of this test
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	return cmd
}

type running struct {
	*exec.Cmd
	url, key string
	took     time.Duration
	ended    bool
}

// start runs the image until it prints its address.
func (c container) start(t *testing.T, arguments ...string) *running {
	t.Helper()
	p := &running{Cmd: c.command(arguments...)}
	var logs bytes.Buffer
	p.Stderr = &logs
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !p.ended {
			_ = p.Process.Kill()
			_ = p.Wait()
		}
	})
	lines := bufio.NewReader(out)
	line, _ := lines.ReadString('\n')
	p.took = time.Since(begin)
	if _, err := fmt.Sscanf(line, "export TUNNEL_BASE_URL=%s TUNNEL_API_KEY=%s", &p.url, &p.key); err != nil {
		p.ended = true
		_ = p.Wait()
		t.Fatalf("the image prints %q\n%s", line, logs.String())
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return p
}

func (p *running) stop(t *testing.T) {
	t.Helper()
	p.ended = true
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

func (p *running) send(t *testing.T, method, path, body string) map[string]any {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+p.key)
	request.Header.Set("Service-Version", "2")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s %s: %s %v %v", method, path, response.Status, answer, err)
	}
	return answer
}
