package explore

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// worker interrupts Terraform in a folder of its own, or another command in the current
// directory, that uses a server of its own.
type worker struct {
	*stage
	settings Settings
	folder   *copy.Folder     // nil for another command
	rival    *copy.Folder     // of a second pipeline; nil before its first act
	direct   *httptest.Server // that it uses
	stop     func()
}

// newWorker serves an account. It removes the folder when it stops.
func newWorker(account []byte, folder *copy.Folder, settings Settings) (*worker, error) {
	w := &worker{stage: &stage{server: testserver.New(), timeout: settings.Timeout}, settings: settings}
	end, err := copy.Serve(account, w.server, w.stage)
	if err != nil {
		return nil, err
	}
	if folder != nil {
		w.folder = folder.On(w.server, w.execute)
	}
	w.stop = func() {
		end()
		if folder != nil {
			folder.Remove()
		}
		if w.rival != nil {
			w.rival.Remove()
			w.direct.Close()
		}
	}
	return w, nil
}

// start restores the account and the files.
func (w *worker) start() error {
	w.server.Reset()
	err := w.minuteLater()
	if err == nil && w.folder != nil {
		err = w.folder.Restore()
	}
	return err
}

// run applies the plan, or runs the command.
func (w *worker) run(ctx context.Context) (*copy.Ran, error) {
	if w.folder != nil {
		return w.folder.ApplyFirst(ctx)
	}
	cmd := exec.CommandContext(ctx, w.settings.Command[0], w.settings.Command[1:]...)
	cmd.Env, cmd.WaitDelay = w.settings.Environment(w.server), 10*time.Second
	out, messages, err := copy.Execute(ctx, cmd, w.execute)
	if err != nil {
		return nil, err
	}
	r := &copy.Ran{Succeeded: cmd.ProcessState.Success()}
	if !r.Succeeded {
		printed := strings.TrimSpace(string(slices.Concat(out, messages)))
		r.Failure = problem.Escape(fmt.Sprintf("%s: %s", cmd.ProcessState, printed[strings.LastIndex(printed, "\n")+1:]))
	}
	return r, nil
}

// again imports, plans, and applies the plan if it has changes and stays in the copy. It
// runs another command once more.
func (w *worker) again(ctx context.Context, imports []Import) (*copy.Ran, error) {
	if w.folder == nil {
		return w.run(ctx)
	}
	for _, object := range imports {
		arguments := append([]string{"import", "-input=false", "-no-color"}, w.folder.Options("-var")...)
		if _, err := w.folder.Run(ctx, append(arguments, object.Address, object.ID)...); err != nil {
			return nil, err
		}
	}
	return w.folder.PlanAndApply(ctx)
}

// look returns what exists, and for Terraform, the addresses of what its state holds, by
// id.
func (w *worker) look() (account Account, held map[string]string, err error) {
	account, err = ParseAccount(w.server.Export())
	if err == nil && w.folder != nil {
		held, err = w.folder.Addresses()
	}
	return account, held, err
}

// second plans and applies with a copy of the state at the start, as a pipeline without a
// lock, or applies the saved plan. Its requests go to the server itself, which holds none
// of them. It returns what its state holds then.
func (w *worker) second(ctx context.Context, saved bool) (held map[string]string, errors []copy.Diagnostic, err error) {
	if w.rival == nil {
		folder, err := w.folder.Another()
		if err != nil {
			return nil, nil, err
		}
		w.direct = httptest.NewServer(w.server)
		w.rival = folder.On(w.server, (*exec.Cmd).Run, "TUNNEL_BASE_URL="+w.direct.URL)
	}
	if err := w.rival.Restore(); err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	var ran *copy.Ran
	if saved {
		ran, err = w.rival.ApplyFirst(ctx)
	} else {
		ran, err = w.rival.PlanAndApply(ctx)
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("the second pipeline has run for %s or was interrupted: use -timeout if that is too short", w.timeout)
	}
	if err != nil {
		return nil, nil, err
	}
	held, err = w.rival.Addresses()
	return held, ran.Errors, err
}

// Import is an import that an error advises.
type Import struct {
	Address string `json:"address"`
	ID      string `json:"id"`
}

// advice is how errors advise imports. The tests of the provider check that they do.
var advice = regexp.MustCompile(`(?m)^\s*terraform import (\S+) ('[^']+'|\S+)$`)

// Imports returns the imports that errors advise. The address is that of the resource
// that has the error, because the text has NAME in it.
func Imports(errors []copy.Diagnostic) []Import {
	var all []Import
	for _, e := range errors {
		found := advice.FindStringSubmatch(e.Text())
		if found == nil || found[2] == "ID" {
			continue
		}
		one := Import{found[1], strings.Trim(found[2], "'")}
		if e.Address != "" {
			one.Address = e.Address
		}
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
