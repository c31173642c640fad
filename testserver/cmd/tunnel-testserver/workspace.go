package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// workspace is a copy of a directory with a configuration, and of its state. Nothing in
// it can reach the service or the state that it is a copy of.
type workspace struct {
	dir         string
	program     string   // terraform or tofu
	options     []string // of each plan
	environment []string
	state       []byte // at the start; empty if nothing was applied yet
}

// codeRefused is the exit code if a configuration is not rehearsed, because it could
// reach something other than the copy.
const codeRefused = 3

// refused is the error of a configuration that is not rehearsed.
func refused(format string, arguments ...any) error {
	return notRun{fmt.Errorf("not rehearsed, because "+format, arguments...), codeRefused}
}

// overrides is the file that makes a copy independent of the service. Terraform merges
// files by name, so the plan is checked for what comes even later.
const overrides = `terraform {
  backend "local" {}
}
provider "tunnel" {
  base_url     = null
  api_key      = null
  api_key_file = null

  request_timeout = "5s" # explore waits for it
}
`

// ownSource is the source address of the provider in a configuration or a lock file.
var ownSource = regexp.MustCompile(`"([^"\s]+/)?tunnel-service/tunnel"`)

// declaration declares the provider if the root module of a directory leaves that to its
// modules: Terraform takes the provider block of the override file for that of
// hashicorp/tunnel otherwise.
func declaration(dir string) string {
	for _, pattern := range []string{"*.tf", "*.tf.json", "*.tofu", "*.tofu.json"} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is valid
		for _, file := range files {
			if content, _ := os.ReadFile(file); ownSource.Match(content) { // Terraform reports what cannot be read
				return ""
			}
		}
	}
	lock, _ := os.ReadFile(filepath.Join(dir, ".terraform.lock.hcl")) // absent with dev_overrides
	source := cmp.Or(ownSource.FindString(string(lock)), `"tunnel-service/tunnel"`)
	return "terraform {\n  required_providers {\n    tunnel = { source = " + source + " }\n  }\n}\n"
}

// newWorkspace copies the current directory and its state beside it, so that paths such
// as ../modules work.
func newWorkspace(ctx context.Context, program string, options []string) (_ *workspace, err error) {
	original, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if files, _ := filepath.Glob(filepath.Join(original, "*.tf*")); len(files) == 0 {
		return nil, errors.New("this directory has no configuration: run the command in the directory of one, after terraform init")
	}
	dir, err := os.MkdirTemp(filepath.Dir(original), filepath.Base(original)+".rehearsal-*")
	if err != nil {
		return nil, err
	}
	w := &workspace{dir: dir, program: program, options: options}
	defer func() {
		if err != nil {
			w.remove()
		}
	}()
	if err := copyConfiguration(original, dir); err != nil {
		return nil, err
	}
	for _, name := range []string{"TF_CLI_ARGS", "TF_CLI_ARGS_plan"} {
		if os.Getenv(name) != "" {
			return nil, fmt.Errorf("%s is set: unset it, and write the options of the plan at the end of this command", name)
		}
	}
	if name := selectedWorkspace(original); name != "default" {
		return nil, refused("the workspace %s is selected: a copy has only the workspace default", printable(name))
	}
	// The state is read with the environment of the user, and only read.
	state, err := output(ctx, original, nil, program, "state", "pull")
	if err != nil {
		return nil, fmt.Errorf("read the state: %w", err)
	}
	if _, err := os.Stat(filepath.Join(original, stateFile)); len(bytes.TrimSpace(state)) == 0 && err == nil {
		return nil, errors.New("terraform.tfstate is empty: restore it first, for example from terraform.tfstate.backup")
	}
	if err := os.WriteFile(filepath.Join(dir, "zzz_rehearsal_override.tf"), []byte(overrides+declaration(dir)), 0o600); err != nil {
		return nil, err
	}
	w.environment = slices.DeleteFunc(withoutSettings(os.Environ()), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(name, "TF_CLI_ARGS") ||
			slices.Contains([]string{"TF_WORKSPACE", "TF_DATA_DIR", "TUNNEL_BASE_URL", "TUNNEL_API_KEY"}, name)
	})
	if _, err := w.run(ctx, "init", "-reconfigure", "-input=false", "-no-color"); err != nil {
		return nil, err
	}
	if err := w.checkBackend(); err != nil {
		return nil, err
	}
	w.state = bytes.TrimSpace(state)
	return w, w.restore()
}

// selectedWorkspace returns the name of the workspace of Terraform in a directory.
func selectedWorkspace(dir string) string {
	if name := os.Getenv("TF_WORKSPACE"); name != "" {
		return name
	}
	data := cmp.Or(os.Getenv("TF_DATA_DIR"), ".terraform")
	if !filepath.IsAbs(data) {
		data = filepath.Join(dir, data)
	}
	name, _ := os.ReadFile(filepath.Join(data, "environment")) // absent for the workspace default
	return cmp.Or(string(bytes.TrimSpace(name)), "default")
}

// The files of the state in a workspace, and of the one before it.
const (
	stateFile  = "terraform.tfstate"
	backupFile = stateFile + ".backup"
)

// restore writes the state at the start, and removes what Terraform writes beside it.
func (w *workspace) restore() error { return w.restoreState(w.state) }

func (w *workspace) restoreState(state []byte) error {
	for _, name := range []string{stateFile, backupFile, "errored.tfstate", "." + stateFile + ".lock.info"} {
		if err := os.Remove(filepath.Join(w.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if len(state) == 0 {
		return nil
	}
	return os.WriteFile(filepath.Join(w.dir, stateFile), state, 0o600)
}

// another returns a second copy of the same directory, with the providers of the first.
func (w *workspace) another() (_ *workspace, err error) {
	second := *w
	if second.dir, err = os.MkdirTemp(filepath.Dir(w.dir), filepath.Base(w.dir)+"-*"); err != nil {
		return nil, err
	}
	err = copyConfiguration(w.dir, second.dir)
	if err == nil {
		err = os.Symlink(filepath.Join(w.dir, ".terraform"), filepath.Join(second.dir, ".terraform"))
	}
	if err != nil {
		second.remove()
		return nil, err
	}
	return &second, second.restore()
}

// of returns the workspace with the environment of a client of a server.
func (w *workspace) of(server *testserver.Server, more ...string) *workspace {
	with := *w
	with.environment = append(ofClient(w.environment, server), slices.Concat([]string{"CHECKPOINT_DISABLE=1"}, more)...)
	return &with
}

func (w *workspace) remove() { _ = os.RemoveAll(w.dir) }

// copyConfiguration copies a directory without what Terraform keeps in it.
func copyConfiguration(from, to string) error {
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		switch {
		case entry.Name() == ".terraform" && entry.IsDir():
			return filepath.SkipDir
		case entry.Name() == ".terraform":
			return nil
		case filepath.Dir(relative) == "." && strings.HasSuffix(relative, ".tfstate"):
			return nil
		case relative == ".":
			return nil
		case entry.IsDir():
			return os.Mkdir(target, 0o700)
		case entry.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(name)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case !entry.Type().IsRegular():
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, info.Mode().Perm()&0o700|0o600)
	})
}

// checkBackend checks that the state stays in the copy.
func (w *workspace) checkBackend() error {
	content, err := os.ReadFile(filepath.Join(w.dir, ".terraform", "terraform.tfstate"))
	if err != nil {
		return err
	}
	var initialized struct {
		Backend struct {
			Type   string `json:"type"`
			Config struct {
				Path *string `json:"path"`
			} `json:"config"`
		} `json:"backend"`
	}
	if err := json.Unmarshal(content, &initialized); err != nil {
		return err
	}
	if initialized.Backend.Type != "local" || initialized.Backend.Config.Path != nil {
		return refused("an override file sets another backend: the state is not kept in the copy")
	}
	return nil
}

// run runs Terraform in the copy and returns its output.
func (w *workspace) run(ctx context.Context, arguments ...string) ([]byte, error) {
	return output(ctx, w.dir, w.environment, w.program, arguments...)
}

// stopTerraform is how long Terraform can take to stop after a signal.
const stopTerraform = 10 * time.Second

// output runs a program and returns its output. An error contains what it has printed.
func output(ctx context.Context, dir string, environment []string, program string, arguments ...string) ([]byte, error) {
	cmd := programIn(ctx, dir, environment, program, arguments...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var out, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failure
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		printed := strings.TrimSpace(failure.String())
		if printed == "" && !json.Valid(bytes.TrimSpace(firstLine(out.Bytes()))) {
			printed = strings.TrimSpace(out.String())
		}
		return out.Bytes(), fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), arguments[0], ended, printed)
	}
	return out.Bytes(), err
}

func programIn(ctx context.Context, dir string, environment []string, program string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environment, stopTerraform
	return cmd
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}
