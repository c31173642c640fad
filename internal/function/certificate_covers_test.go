package function_test

import (
	"net"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func TestCertificateCovers_names(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	chain := testcert.ChainOf{
		Intermediates: 1, Names: []string{"www.example.com", "*.shop.example.com"}, IPs: []net.IP{net.IPv4(192, 0, 2, 1), net.ParseIP("2001:db8::1")},
	}.New(t)
	for host, want := range map[string]bool{
		"www.example.com": true, "*.shop.example.com": true, "2001:db8:0::1": true, "example.com": false,
	} {
		got, wrong := p.Call("certificate_covers", acctest.Text(chain.PEM()), acctest.Text(host))
		if wrong != nil || !got.Equal(tftypes.NewValue(tftypes.Bool, want)) {
			t.Errorf("%s: %s, %+v, want %t", host, got, wrong, want)
		}
	}
}

func TestCertificateCovers_invalidArguments(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	reversed := &testcert.Chain{Blocks: []string{chain.Blocks[1], chain.Blocks[0]}}
	for _, test := range []struct {
		pem, host string
		argument  int64
		want      string
	}{
		{"", "www.example.com", 0, "pem must "},
		{"www.example.com.pem", "www.example.com", 0, "file path"},
		{chain.PKCS8(t), "www.example.com", 0, "private key"},
		{reversed.PEM(), "www.example.com", 0, "pem is out of order: the leaf certificate must come first"},
		{chain.PEM(), "", 1, "hostname must be a hostname such as www.example.com or *.example.com, or an IP address; found \"\""},
		{chain.PEM(), "https://www.example.com", 1, "found \"https://www.example.com\""},
		{chain.PEM(), "www.example.com:443", 1, "found \"www.example.com:443\""},
		{chain.PEM(), "*.192.0.2.1", 1, "found \"*.192.0.2.1\""},
		{chain.PEM(), "www.*.com", 1, "found \"www.*.com\""},
	} {
		_, wrong := p.Call("certificate_covers", acctest.Text(test.pem), acctest.Text(test.host))
		if wrong == nil || wrong.FunctionArgument == nil || *wrong.FunctionArgument != test.argument ||
			!strings.Contains(wrong.Text, test.want) || strings.HasSuffix(wrong.Text, ".") {
			t.Errorf("%.40q, %q: %+v, want %q", test.pem, test.host, wrong, test.want)
		}
	}
}

func TestACLAllows_call(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	texts := tftypes.List{ElementType: tftypes.String}
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	for name, test := range map[string]struct {
		acl  tftypes.Value
		want any
	}{
		"allowed":         {acctest.Texts("bind:*.example.com"), true},
		"not allowed":     {acctest.Texts("bind:*.example.org"), false},
		"null":            {tftypes.NewValue(texts, nil), true},
		"empty":           {acctest.Texts(), true},
		"unknown":         {tftypes.NewValue(texts, tftypes.UnknownValue), tftypes.UnknownValue},
		"unknown element": {tftypes.NewValue(texts, []tftypes.Value{acctest.Text("bind:a.example.org"), unknown}), tftypes.UnknownValue},
	} {
		got, wrong := p.Call("acl_allows", test.acl, acctest.Text("www.example.com"))
		if want := tftypes.NewValue(tftypes.Bool, test.want); wrong != nil || !got.Equal(want) {
			t.Errorf("%s: %s, %+v, want %s", name, got, wrong, want)
		}
	}
	for _, test := range []struct {
		acl      tftypes.Value
		bind     string
		argument int64
		want     string
	}{
		{acctest.Texts("allow:example.com"), "example.com", 0, `acl element "allow:example.com" is not a valid ACL rule`},
		{tftypes.NewValue(texts, []tftypes.Value{tftypes.NewValue(tftypes.String, nil)}), "example.com", 0, "acl must not contain null"},
		{acctest.Texts("*"), "bind:example.com", 1, "bind must be what a client asks to bind"},
	} {
		_, wrong := p.Call("acl_allows", test.acl, acctest.Text(test.bind))
		if wrong == nil || wrong.FunctionArgument == nil || *wrong.FunctionArgument != test.argument || !strings.Contains(wrong.Text, test.want) {
			t.Errorf("%s, %q: %+v, want %q", test.acl, test.bind, wrong, test.want)
		}
	}
}
