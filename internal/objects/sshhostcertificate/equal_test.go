package sshhostcertificate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func TestAccSSHHostCertificate_keyCommentPlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	// One key of each type, as written by ssh-keygen.
	keys := map[string]string{}
	for kind, bits := range map[string]string{"rsa": "2048", "ecdsa": "256", "ed25519": "256"} {
		keys[kind], _ = testcert.SSHKeygen(t, kind, bits)
	}
	with := func(spelling func(string) string, more ...string) string {
		text := ""
		for kind, public := range keys {
			text += strings.Replace(config(w.Parents.SSHCertificateAuthority, spelling(public), more...), `"test"`, `"`+kind+`"`, 1)
		}
		return text
	}
	bare := func(public string) string { return strings.Join(strings.Fields(public)[:2], " ") }
	tf := w.MeansTheSame(t, with(strings.Clone),
		with(bare),
		with(func(public string) string { return bare(public) + " somebody else's\n" }),
		with(func(public string) string { return strings.TrimSpace(public) + "\r\n" }),
	)
	var spelled []plancheck.PlanCheck
	for kind, public := range keys {
		at := "tunnel_ssh_host_certificate." + kind
		tf.ExpectAttribute(t, at, "public_key", public)
		tf.ExpectAttribute(t, at, "key_type", kind)
		spelled = append(spelled, acctest.ExpectChanges(at, "description"))
	}
	tf.ExpectPlan(t, with(bare, `description = "new"`), spelled...)
}

func TestAccSSHHostCertificate_timeOffsetPlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "")
	from := time.Now().Add(-time.Hour).Truncate(time.Second)
	valid := func(offset int, form string) string {
		zone := time.FixedZone("", offset)
		return config(w.Parents.SSHCertificateAuthority, key,
			fmt.Sprintf("valid_after = %q", from.In(zone).Format(form)), fmt.Sprintf("valid_until = %q", from.AddDate(0, 1, 0).In(zone).Format(form)))
	}
	tf := w.MeansTheSame(t, valid(-5*3600, time.RFC3339),
		valid(0, time.RFC3339), valid(5*3600+1800, time.RFC3339), valid(0, "2006-01-02T15:04:05.000Z07:00"))
	tf.ExpectAttribute(t, address, "valid_after", from.In(time.FixedZone("", -5*3600)).Format(time.RFC3339))
}
