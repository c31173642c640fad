package botuser_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const address = "tunnel_bot_user.test"

// TestAccBotUser_inUse checks that the error names the credential that a bot user
// owns.
func TestAccBotUser_inUse(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	bot := w.Create("/bot_users", `{"name": "ci"}`)
	credential := w.Create("/ssh_credentials", `{"public_key": "`+testcert.PublicKey(t, "")+`", "owner_id": "`+bot+`"}`)
	config := w.Config("import {\n  to = " + address + "\n  id = \"" + bot + "\"\n}\n" + acctest.Resource(address, `name = "ci"`))
	w.Run(t,
		resource.TestStep{Config: config},
		resource.TestStep{Config: config, Destroy: true, ExpectError: acctest.InError("SSH credential "+credential, "set another owner_id and apply")},
		resource.TestStep{PreConfig: func() { w.Delete("/ssh_credentials/" + credential) }, Config: config},
	)
}
