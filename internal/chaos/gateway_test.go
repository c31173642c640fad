package chaos

import (
	"fmt"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestGateway_withAPathOfItsOwn reads lists of several pages through a gateway that does
// not rewrite the links of the service behind it.
func TestGateway_withAPathOfItsOwn(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	service, err := url.Parse(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	gateway := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Path = r.In.URL.Path[len("/tunnel/v2"):]
		r.SetURL(service)
	}})
	t.Cleanup(gateway.Close)
	const kind, objects = "tunnel_group_backend", 150
	var last string
	for i := range objects {
		last = w.Create(list, fmt.Sprintf(`{"labels":{"app":"web-%d"}}`, i))
	}
	p := acctest.NewProtocol(t)
	p.Configure(map[string]tftypes.Value{"base_url": acctest.Text(gateway.URL + "/tunnel/v2"), "api_key": acctest.Text(w.AdminKey)})
	if found := p.Elements(p.DataSource(kind+"s", nil), "group_backends"); len(found) != objects {
		t.Errorf("the data source has %d objects, want %d", len(found), objects)
	}
	state, _ := p.Import(kind, last, nil)
	w.Age(time.Minute)
	w.ForceDelete(list + "/" + last)
	if read, _ := p.Read(kind, state, nil); !read.IsNull() {
		t.Error("an object that was deleted by hand is still in the state")
	}
}
