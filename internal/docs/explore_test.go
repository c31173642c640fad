package docs

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestAccExplore_findsWhatIsLeft interrupts an apply of the example in the guide.
func TestAccExplore_findsWhatIsLeft(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("explore needs Linux")
	}
	bin, err := testServer()
	if err != nil {
		t.Fatal(err)
	}
	w := acctest.Start(t)
	tf := mirrored(t, w)
	tf.Write(t, "main.tf", read(t, "guides/interruptions/main.tf"))
	tf.Init(t)
	tf.Apply(t)
	tf.Write(t, "account.json", string(w.Export()))
	account, state := w.Export(), tf.Read(t, "terraform.tfstate")
	explore := func(flags string, names ...string) (report string, code int) {
		t.Helper()
		for _, name := range names {
			flags += " -only '" + name + "'"
		}
		out, err := tf.Shell(t, "tunnel-testserver explore -account account.json "+flags+" -- terraform apply -var=release=2 2>messages",
			"PATH="+bin+string(os.PathListSeparator)+acctest.ShellPath(t))
		code, _ = errorCode(err)
		return out, code
	}
	const green, address = `POST /backends/tunnel_group (tunnel_group_backend.app["green"])`, "POST /reserved_addrs (tunnel_reserved_address.spare[0])"
	want := map[string]string{
		green + ":answer-lost": "import", green + ":answer-lost-unlisted": "named", green + ":sigterm-group": "again", green + ":kill-both": "unnamed",
		"POST /ssh_credentials (tunnel_ssh_credential.ci):500": "again",
	}
	out, code := explore("-format json", slices.Collect(maps.Keys(want))...)
	var report struct {
		Interruptions []struct {
			Request, Interruption, Class string
			Imports                      []struct{ Address string }
			Missing                      []string
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || len(report.Interruptions) != len(want) {
		t.Fatalf("exit code %d, %v\n%s\n%s", code, err, out, tf.Read(t, "messages"))
	}
	for _, i := range report.Interruptions {
		if name := i.Request + ":" + i.Interruption; i.Class != want[name] || i.Class == "import" && (len(i.Imports) != 1 || i.Imports[0].Address != `tunnel_group_backend.app["green"]`) {
			t.Errorf("%s is %s with the imports %v, want %s", name, i.Class, i.Imports, want[name])
		}
		if i.Interruption == "500" && !slices.Equal(i.Missing, []string{"tunnel_ssh_credential.ci does not exist"}) {
			t.Errorf("between the deletion and the creation of the credential, %q is missing", i.Missing)
		}
	}
	out, code = explore("-strict -format junit", address+":kill-both")
	if code != 1 || !strings.Contains(out, `failures="1"`) || !strings.Contains(out, `<failure message="unnamed: `) {
		t.Errorf("exit code %d\n%s\n%s", code, out, tf.Read(t, "messages"))
	}
	if string(w.Export()) != string(account) || tf.Read(t, "terraform.tfstate") != state {
		t.Error("an exploration changed the account or the state")
	}
	if left, _ := filepath.Glob(tf.Dir + ".rehearsal-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
