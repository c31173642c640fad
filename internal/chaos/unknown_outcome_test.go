package chaos

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const list = "/backends/tunnel_group"

// backends returns a configuration of n identical tunnel group backends, with
// the given arguments in the provider block.
func backends(n int, provider string) string {
	return fmt.Sprintf("provider \"tunnel\" {\n%s\n}\n\nresource \"tunnel_group_backend\" \"all\" {\n  count  = %d\n  labels = { app = \"web\" }\n}\n", provider, n)
}

// outcome is the result of an apply of identical backends.
type outcome struct {
	wanted, posted, created, held    int
	named, noneVisible, couldNotLook int
	failures                         []failure
}

func (o outcome) String() string {
	return fmt.Sprintf("%d wanted, %d POSTs, %d made, %d in the state; %d errors name objects, %d say that none is visible yet, %d that nobody could look",
		o.wanted, o.posted, o.created, o.held, o.named, o.noneVisible, o.couldNotLook)
}

// outcomeOf compares the errors of an apply with the state and the service.
// There must be at most one POST for each resource, and each resource must be
// in the state or have an error. Objects that errors name must exist and must
// not be in the state.
func outcomeOf(t *testing.T, w *acctest.Env, tf *terraform, wanted int, failures []failure) outcome {
	t.Helper()
	w.SetRules()
	failures = slices.DeleteFunc(failures, func(f failure) bool { return f.Address == "" }) // "execution halted"
	o := outcome{wanted: wanted, posted: w.Stats().Requests["POST "+list], failures: failures}
	held := tf.state()
	o.held = len(held)
	var created []string
	for _, object := range w.List(list) {
		created = append(created, fmt.Sprint(object["id"]))
	}
	o.created = len(created)
	for _, f := range failures {
		if !f.unknown() {
			continue
		}
		switch ids := f.ids(); {
		case len(ids) > 0:
			o.named++
			for _, want := range []string{"belong to another configuration", "terraform import tunnel_group_backend.NAME " + ids[0]} {
				if !strings.Contains(f.Detail, want) {
					t.Errorf("%s: the error does not say %q:\n%s", f.Address, want, f.Detail)
				}
			}
			for _, id := range ids {
				if _, ours := held[list+"/"+id]; ours || !slices.Contains(created, id) {
					t.Errorf("%s: the error names %s, which is in the state (%t) or does not exist", f.Address, id, ours)
				}
			}
		case strings.Contains(f.Detail, "No matching object is visible yet"):
			o.noneVisible++
		case strings.Contains(f.Detail, "could not check whether the object exists"):
			o.couldNotLook++
		default:
			t.Errorf("%s: the error has no finding:\n%s", f.Address, f.Detail)
		}
	}
	if o.posted > wanted || o.created > o.posted {
		t.Errorf("a POST was repeated: %s", o)
	}
	if o.held+len(failures) != wanted {
		t.Errorf("not every resource is in the state or has one error: %s, %d errors", o, len(failures))
	}
	t.Log(o)
	return o
}

func TestAccCreate_unknownOutcome(t *testing.T) {
	t.Parallel()
	post := func(behavior string) testserver.Rule {
		return testserver.Rule{Behavior: behavior, Method: http.MethodPost}
	}
	named := func(o outcome) int { return o.named }
	nobodyLooked := func(o outcome) int { return o.couldNotLook }
	for name, test := range map[string]struct {
		faults  []testserver.Rule
		created int // number of created objects, of 3 in the configuration
		finding func(outcome) int
	}{
		"slower than request_timeout": {[]testserver.Rule{post("delay=3s")}, 3, named},
		"503 before processing":       {[]testserver.Rule{post("503")}, 0, func(o outcome) int { return o.noneVisible }},
		"proxy page after processing": {[]testserver.Rule{post("html")}, 3, named},
		"list refused": {[]testserver.Rule{
			post("reset_after"), {Behavior: "html=403", Method: http.MethodGet, Route: list},
		}, 3, nobodyLooked},
		"gate closed after the request": {[]testserver.Rule{
			post("reset_after"), {Behavior: "429=60", Method: http.MethodGet, Route: list},
		}, 3, nobodyLooked},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			timeout := "30s"
			if strings.HasPrefix(test.faults[0].Behavior, "delay") {
				timeout = "1s"
			}
			tf := newTerraform(t, w.URL, w.AdminKey, backends(3, "  request_timeout = \""+timeout+"\""))
			w.SetRules(test.faults...)
			failures, err := tf.apply()
			acctest.Await(t, func() bool { return w.Stats().InFlight == 0 })
			o := outcomeOf(t, w, tf, 3, failures)
			if err == nil || o.created != test.created || o.posted != 3 || test.finding(o) != 3 {
				t.Errorf("error %v, %s, want %d made and one finding for each\n%s", err, o, test.created, tf.summary())
			}
		})
	}
}

// TestAccCreate_unknownOutcomeOfReplacement follows the error about a replacement with
// create_before_destroy: one object is left at the end, which is the new one.
func TestAccCreate_unknownOutcomeOfReplacement(t *testing.T) {
	t.Parallel()
	const first = "resource \"tunnel_ssh_credential\" \"a\" {\n  lifecycle { create_before_destroy = true }\n  public_key = %q\n}\n"
	for address, test := range map[string]struct {
		path          string
		before, after string
		options       []string
	}{
		"tunnel_group_backend.all[0]": {list, backends(1, "  x"), backends(1, "  x"), []string{"-replace=tunnel_group_backend.all[0]"}},
		"tunnel_ssh_credential.a": {
			"/ssh_credentials", fmt.Sprintf(first, testcert.PublicKey(t, "")), fmt.Sprintf(first, testcert.PublicKey(t, "other")), nil,
		},
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			with := strings.NewReplacer("\n  x", "", "labels =", "lifecycle { create_before_destroy = true }\n  labels =")
			tf := newTerraform(t, w.URL, w.AdminKey, with.Replace(test.before))
			tf.Apply(t)
			tf.Write(t, "main.tf", strings.Replace(tf.Read(t, "main.tf"), with.Replace(test.before), with.Replace(test.after), 1))
			w.SetRules(testserver.Rule{Behavior: "reset_after", Method: http.MethodPost})
			failures, _ := tf.apply(test.options...)
			w.SetRules()
			kind, _, _ := strings.Cut(address, ".")
			if len(failures) == 0 || !failures[0].unknown() || !strings.Contains(failures[0].Detail, "terraform state mv "+kind+".NAME "+kind+".old") {
				t.Fatalf("the error does not say what to do:\n%s", tf.summary())
			}
			var id string // of the new object
			for _, named := range failures[0].ids() {
				if _, held := tf.state()[test.path+"/"+named]; !held {
					id = named
				}
			}
			tf.Run(t, "state", "mv", address, kind+".old")
			tf.Run(t, "import", address, id)
			tf.Apply(t)
			tf.ExpectNoChanges(t)
			if left := w.List(test.path); len(left) != 1 || left[0]["id"] != id {
				t.Errorf("left are %v, want the new object %s", left, id)
			}
		})
	}
}

// TestAccCreate_interrupted interrupts an apply once. It ends without waiting for what
// it can no longer get, and each creation in progress is in the state or has an error.
func TestAccCreate_interrupted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault   testserver.Rule // of the creations
		release bool            // the held requests go on after the interrupt
		made    int
	}{
		"answers come in time":         {testserver.Rule{Behavior: "hold"}, true, 3},
		"answers come too late":        {testserver.Rule{Behavior: "hold"}, false, 3},
		"while it waits for the limit": {testserver.Rule{Behavior: "429=600"}, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			test.fault.Method = http.MethodPost
			w.SetRules(test.fault)
			tf := newTerraform(t, w.URL, w.AdminKey, backends(3, `  request_timeout = "10m"`))
			var out bytes.Buffer
			cmd := tf.Command(t.Context(), "apply", "-json", "-auto-approve")
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			acctest.Await(t, func() bool { stats := w.Stats(); return stats.InFlight+stats.Failures["429"] >= max(test.made, 1) })
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if test.release {
				w.SetRules()
			}
			end(t, cmd)
			w.SetRules()
			acctest.Await(t, func() bool { return w.Stats().InFlight == 0 })
			if test.made == 0 { // Terraform may not have begun all creations
				if len(w.List(list))+len(tf.state()) > 0 {
					t.Errorf("something was made:\n%s", acctest.Summary(out.String()))
				}
				return
			}
			tf.Output.Write(out.Bytes())
			o := outcomeOf(t, w, tf, 3, failuresIn(out.String()))
			if o.created != test.made || o.held+o.named+o.noneVisible+o.couldNotLook != test.made {
				t.Errorf("%s\n%s", o, tf.summary())
			}
		})
	}
}

// end waits for the end of a command that got an interrupt. The command must not
// wait for what it can no longer get. It fails, because creations did not end.
func end(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	late := time.AfterFunc(time.Minute, func() {
		t.Error("the command does not end")
		_ = cmd.Process.Kill()
	})
	defer late.Stop()
	_ = cmd.Wait()
}
