package reservedaddress_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const address = "tunnel_reserved_address.test"

// TestAccReservedAddress_inUse checks that the error names the edge that serves
// an address.
func TestAccReservedAddress_inUse(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	edge := w.Create("/edges/tcp", `{"hostports": ["1.tcp.tunnel.example:20001"]}`)
	w.Run(t,
		resource.TestStep{Config: w.Config(acctest.Resource(address))},
		resource.TestStep{Config: w.Config(acctest.Resource(address)), Destroy: true, ExpectError: acctest.InError("TCP edge " + edge)},
		resource.TestStep{PreConfig: func() { w.Delete("/edges/tcp/" + edge) }, Config: w.Config(acctest.Resource(address))},
	)
}

func TestAccReservedAddress_dataSourceByAddr(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	id := w.Create("/reserved_addrs", `{}`)
	read := func(address string) string {
		return fmt.Sprintf("data \"tunnel_reserved_address\" \"test\" {\n  addr = %q\n}\n", address)
	}
	w.Run(t,
		resource.TestStep{Config: w.Config(read("1.tcp.tunnel.example:20001")), Check: resource.TestCheckResourceAttr("data.tunnel_reserved_address.test", "id", id)},
		resource.TestStep{Config: w.Config(read("2.tcp.tunnel.example:20001")), ExpectError: acctest.InError("Existing: 1.tcp.tunnel.example:20001")},
	)
}
