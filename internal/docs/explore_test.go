package docs

import (
	"encoding/json"
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
	explore := func(flags string) (report string, code int) {
		t.Helper()
		out, err := tf.Shell(t, "tunnel-testserver explore -account account.json -workers 6 "+flags+" -- terraform apply -var=release=2 2>messages",
			"PATH="+bin+string(os.PathListSeparator)+acctest.ShellPath(t))
		code, _ = errorCode(err)
		return out, code
	}
	out, code := explore("-format json -sample 12 -only answer-lost -only sigterm-terraform -only kill-both")
	var report struct {
		Total         int
		Interruptions []struct {
			Request, Interruption, Class string
			Imports, Missing             []string
			Left                         []struct{ Address, Named string }
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || report.Total != 12 || len(report.Interruptions) != 12 {
		t.Fatalf("exit code %d, %v\n%s\n%s", code, err, out, tf.Read(t, "messages"))
	}
	var missing []string
	lost, killed := 0, 0
	for _, i := range report.Interruptions {
		creation := strings.HasPrefix(i.Request, "POST /backends") || strings.HasPrefix(i.Request, "POST /reserved_addrs")
		missing = append(missing, i.Missing...)
		switch {
		case i.Class == "unplanned" || i.Class == "never" || i.Class == "not reached":
			t.Errorf("%+v", i)
		case creation && i.Interruption == "answer-lost":
			if lost++; i.Class != "import" || len(i.Imports) != 1 || len(i.Left) != 0 {
				t.Errorf("the error does not name what mends it: %+v", i)
			}
		case creation && i.Interruption == "kill-both":
			if killed++; i.Class != "unnamed" {
				t.Errorf("the object of a killed run is not found: %+v", i)
			}
		}
	}
	if lost == 0 || killed == 0 {
		t.Errorf("%d lost responses and %d kills in\n%s", lost, killed, out)
	}
	if !slices.Contains(missing, "tunnel_ssh_credential.ci does not exist") {
		t.Errorf("the credential between its deletion and creation is not reported: %q", missing)
	}
	const kill = `-only 'POST /reserved_addrs (tunnel_reserved_address.spare[0]):kill-both'`
	out, code = explore("-strict -format junit " + kill)
	if code != 1 || !strings.Contains(out, `failures="1"`) || !strings.Contains(out, `message="unnamed: tunnel_reserved_address.spare[0]. `) {
		t.Errorf("exit code %d\n%s\n%s", code, out, tf.Read(t, "messages"))
	}
	if left, _ := filepath.Glob(tf.Dir + ".rehearsal-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
