package docs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
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
	tf := mirrored(t, acctest.Start(t))
	for _, name := range glob(t, "guides/interruptions/*") {
		tf.Write(t, filepath.Base(name), read(t, name))
	}
	tf.Init(t)
	explore := func(flags string) (report string, code int) {
		t.Helper()
		out, err := tf.Shell(t, "tunnel-testserver explore -account account.json -workers 6 "+flags+" -- terraform apply 2>messages",
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
	lost, killed := 0, 0
	for _, i := range report.Interruptions {
		creation := strings.HasPrefix(i.Request, "POST /backends") || strings.HasPrefix(i.Request, "POST /reserved_addrs")
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
	const kill = `-only 'POST /reserved_addrs (tunnel_reserved_address.spare):kill-both'`
	if out, code := explore("-strict " + kill); code != 1 || !strings.Contains(out, "tunnel_reserved_address.spare: kill-both") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if left, _ := filepath.Glob(tf.Dir + ".rehearsal-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
