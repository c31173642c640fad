// Package copy makes copies of a folder with a configuration and of its state, and
// decides what may run on them: nothing that could reach something else.
package copy

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

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// Refused is the error of what does not run on a copy, because it could reach something
// else.
type Refused string

func (r Refused) Error() string { return "not rehearsed, because " + string(r) }

func refused(format string, arguments ...any) error {
	return Refused(fmt.Sprintf(format, arguments...))
}

// Folder is a copy of a folder and of its state.
type Folder struct {
	Dir         string
	work        string // directory of the files that only this program writes, shared by all copies
	program     string // terraform or tofu
	options     []string
	environment []string
	server      *testserver.Server // with the copy of the account; nil before On
	state       []byte             // at the start; empty if nothing was applied yet
	execute     func(*exec.Cmd) error
}

// overridesFile makes a copy independent of the service. Terraform merges override files
// by name, so no other may come after it.
const overridesFile = "zzz_rehearsal_override.tf"

const overrides = `terraform {
  backend "local" {}
}
provider "tunnel" {
  base_url     = null
  api_key      = null
  api_key_file = null

  skip_credentials_validation = null
}
`

// ownSource is the source address of the provider in a configuration or a lock file.
var ownSource = regexp.MustCompile(`"([^"\s]+/)?tunnel-service/tunnel"`)

// declaration declares the provider if the root module of a directory leaves that to its
// modules: Terraform takes the provider block of the override file for that of
// hashicorp/tunnel otherwise.
func declaration(dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "*.t[fo]*")) // the pattern is valid
	for _, file := range files {
		if content, _ := os.ReadFile(file); ownSource.Match(content) { // Terraform reports what cannot be read
			return ""
		}
	}
	lock, _ := os.ReadFile(filepath.Join(dir, ".terraform.lock.hcl")) // absent with dev_overrides
	source := cmp.Or(ownSource.FindString(string(lock)), `"tunnel-service/tunnel"`)
	return "terraform {\n  required_providers {\n    tunnel = { source = " + source + " }\n  }\n}\n"
}

// New copies the current directory and its state beside it, so that paths such as
// ../modules work. After the program, the command has options of each plan.
func New(ctx context.Context, command []string) (_ *Folder, err error) {
	original, err := os.Getwd()
	if err == nil {
		original, err = filepath.EvalSymlinks(original)
	}
	if err != nil {
		return nil, err
	}
	f := &Folder{program: command[0], environment: environment()}
	if f.options, err = planOptions(command[1:]); err != nil {
		return nil, err
	}
	if err := checkFiles(original); err != nil {
		return nil, err
	}
	if f.Dir, err = os.MkdirTemp(filepath.Dir(original), filepath.Base(original)+".rehearsal-*"); err != nil {
		return nil, err
	}
	f.work = f.Dir + ".work"
	defer func() {
		if err != nil {
			f.Remove()
		}
	}()
	if err := os.Mkdir(f.work, 0o700); err != nil {
		return nil, err
	}
	if err := copyFiles(original, f.Dir); err != nil {
		return nil, err
	}
	if f.state, err = stateOf(ctx, original, f.program); err != nil {
		return nil, err
	}
	if err := f.write(overridesFile, overrides+declaration(f.Dir)); err != nil {
		return nil, err
	}
	if _, err := output(ctx, f.Command(ctx, "init", "-reconfigure", "-input=false", "-no-color")); err != nil {
		return nil, explained(err)
	}
	if err := f.checkBackend(); err != nil {
		return nil, err
	}
	return f, f.Restore()
}

// checkFiles checks the configuration in a directory before it is copied.
func checkFiles(dir string) error {
	files, _ := filepath.Glob(filepath.Join(dir, "*.t[fo]*")) // the pattern is valid
	if len(files) == 0 {
		return errors.New("this directory has no configuration: run the command in the directory of one, after terraform init")
	}
	for _, file := range files {
		if name := filepath.Base(file); name > overridesFile && strings.Contains(name, "override.t") {
			return refused("Terraform merges the override file %q last, and it could set another service or state: give it a name before %s",
				name, overridesFile)
		}
	}
	return nil
}

// stateOf returns the state of a directory, which is only read, with the environment of
// the user.
func stateOf(ctx context.Context, dir, program string) ([]byte, error) {
	selected, err := output(ctx, command(ctx, dir, nil, program, "workspace", "show"))
	if name := string(bytes.TrimSpace(selected)); err == nil && name != "default" {
		err = refused("the workspace %q is selected: a copy has only the workspace default", name)
	}
	if err != nil {
		return nil, err
	}
	state, err := output(ctx, command(ctx, dir, nil, program, "state", "pull"))
	if err != nil {
		return nil, fmt.Errorf("read the state: %w", err)
	}
	state = bytes.TrimSpace(state)
	if _, err := os.Stat(filepath.Join(dir, stateFile)); len(state) == 0 && err == nil {
		return nil, errors.New("terraform.tfstate is empty: restore it first, for example from terraform.tfstate.backup")
	}
	return state, nil
}

// explained returns the error of init, or what to do if the CLI configuration has
// dev_overrides for the provider, which init does not use.
func explained(err error) error {
	home, _ := os.UserHomeDir() // empty if there is none
	file := cmp.Or(os.Getenv("TF_CLI_CONFIG_FILE"), filepath.Join(home, ".terraformrc"))
	if content, _ := os.ReadFile(file); !bytes.Contains(content, []byte("dev_overrides")) || !strings.Contains(err.Error(), ownProvider[1:]) {
		return err
	}
	return fmt.Errorf("a copy runs terraform init, which does not use the dev_overrides in %q: put the build into a mirror instead, as the "+
		"guide \"Installing the provider\" says under \"From source\"", file)
}

// The files of the state in a copy, and of the one before it.
const (
	stateFile  = "terraform.tfstate"
	backupFile = stateFile + ".backup"
)

// ofState are the files that Terraform writes for a local state.
var ofState = []string{stateFile, backupFile, "errored.tfstate", "." + stateFile + ".lock.info"}

// Restore writes the state of the start, and removes what Terraform writes beside it.
func (f *Folder) Restore() error {
	for _, name := range ofState {
		if err := os.Remove(filepath.Join(f.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if len(f.state) == 0 {
		return nil
	}
	return f.write(stateFile, string(f.state))
}

// readState returns the state. It is empty if nothing was applied yet.
func (f *Folder) readState() ([]byte, error) {
	state, err := os.ReadFile(filepath.Join(f.Dir, stateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return state, err
}

// RestoreBackup does what the guide says about a state of 0 bytes: it copies the backup
// over it. It does so for half a state too. It reports whether it was necessary.
func (f *Folder) RestoreBackup() (bool, error) {
	state, err := f.readState()
	if state == nil || err != nil || json.Valid(state) {
		return false, err
	}
	backup, err := os.ReadFile(filepath.Join(f.Dir, backupFile))
	if err != nil { // the first apply has none
		return true, os.Remove(filepath.Join(f.Dir, stateFile))
	}
	return true, f.write(stateFile, string(backup))
}

// write writes a file of the copy.
func (f *Folder) write(name, content string) error {
	return os.WriteFile(filepath.Join(f.Dir, name), []byte(content), 0o600)
}

// Another returns a second copy of the same folder, with the providers of the first.
func (f *Folder) Another() (_ *Folder, err error) {
	second := *f
	if second.Dir, err = os.MkdirTemp(filepath.Dir(f.Dir), filepath.Base(f.Dir)+"-*"); err != nil {
		return nil, err
	}
	err = copyFiles(f.Dir, second.Dir)
	if err == nil {
		err = os.Symlink(filepath.Join(f.Dir, ".terraform"), filepath.Join(second.Dir, ".terraform"))
	}
	if err != nil {
		second.Remove()
		return nil, err
	}
	return &second, second.Restore()
}

// On returns the folder whose Terraform is a client of a server. execute runs it and
// waits for it.
func (f *Folder) On(server *testserver.Server, execute func(*exec.Cmd) error, environment ...string) *Folder {
	with := *f
	with.server, with.execute = server, execute
	with.environment = slices.Concat(f.environment,
		[]string{"CHECKPOINT_DISABLE=1", "TUNNEL_BASE_URL=" + server.URL, "TUNNEL_API_KEY=" + server.AdminKey}, environment)
	return &with
}

// Remove removes the copy and, for the first one, the files that all share.
func (f *Folder) Remove() {
	_, _ = os.RemoveAll(f.Dir), os.RemoveAll(f.Dir+".work")
}

// checkBackend checks that the state stays in the copy.
func (f *Folder) checkBackend() error {
	content, err := os.ReadFile(filepath.Join(f.Dir, ".terraform", stateFile))
	if err != nil {
		return err
	}
	var initialized struct {
		Backend struct {
			Type   string
			Config struct{ Path *string }
		}
	}
	if json.Unmarshal(content, &initialized) != nil || initialized.Backend.Type != "local" || initialized.Backend.Config.Path != nil {
		return refused("an override file sets another backend: the state is not kept in the copy")
	}
	return nil
}
