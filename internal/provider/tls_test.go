package provider_test

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// privateGateway is a proxy in front of a service, with a certificate of a private CA. It
// lets only the owner of one client certificate through.
type privateGateway struct {
	url, ca, certificate, key string // in PEM
}

func startGateway(t *testing.T, w *acctest.Env) privateGateway {
	t.Helper()
	target, err := url.Parse(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	own := testcert.ChainOf{Names: []string{"gateway.example.com"}, IPs: []net.IP{net.IPv4(127, 0, 0, 1)}, Intermediates: 1}.New(t)
	certificate, err := tls.X509KeyPair([]byte(own.PEM()), []byte(own.PKCS8(t)))
	if err != nil {
		t.Fatal(err)
	}
	client := testcert.ChainOf{Names: []string{"ci.example.com"}, Intermediates: 1}.New(t)
	forward := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !r.TLS.PeerCertificates[0].Equal(client.Leaf) {
			http.Error(w, "unknown client certificate", http.StatusForbidden)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequireAnyClientCert}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return privateGateway{server.URL, own.PEM(3), client.PEM(1, 2), client.PKCS8(t)}
}

// TestProviderTLS_gateway configures a provider for a private gateway, with PEM and with
// files. It checks its credentials through the gateway.
func TestProviderTLS_gateway(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	g, folder := startGateway(t, w), t.TempDir()
	inline, files := arguments{"base_url": text(g.url), "api_key": text(w.AdminKey)}, arguments{"base_url": text(g.url), "api_key": text(w.AdminKey)}
	for name, content := range map[string]string{"ca_certificate": g.ca, "client_certificate": g.certificate, "client_key": g.key} {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		inline[name], files[name] = text(content), text(file)
	}
	for _, given := range []arguments{inline, files} {
		acctest.ExpectNone(t, acctest.NewProtocol(t).TryConfigure(given))
	}
	if sent := w.Stats().Total; sent != 2 {
		t.Errorf("%d requests came through", sent)
	}
}

func TestProviderTLS_refused(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	g := startGateway(t, w)
	other := testcert.ChainOf{}.New(t)
	bare := strings.Join(strings.Split(strings.TrimSpace(g.key), "\n")[1:3], "") // base64 without the lines around it
	short := strings.Split(testcert.PKCS8(t, testcert.Key(t, "ed25519")), "\n")[1]
	for name, test := range map[string]struct {
		ca, certificate, key string // "" is not set
		at                   string // "" for an error that must not show a line
		want                 []string
	}{
		"no CA":             {"", "", "", "base_url", []string{"unknown authority", "set ca_certificate"}},
		"no certificate":    {g.ca, "", "", "base_url", []string{"certificate required", "check client_certificate and client_key"}},
		"no key":            {g.ca, g.certificate, "", "client_certificate", []string{"is set without client_key"}},
		"key alone":         {g.ca, "", g.key, "", []string{"is set without client_certificate"}},
		"key of another":    {g.ca, g.certificate, other.PKCS8(t), "", []string{"does not match the first certificate in client_certificate", "ci.example.com"}},
		"key as a CA":       {g.key, g.certificate, g.key, "", []string{"ca_certificate"}},
		"key of 64 letters": {g.ca, g.certificate, short, "", []string{"may be a secret, so it is not shown"}},
		"API key as a CA":   {w.AdminKey, "", "", "", []string{"may be a secret, so it is not shown"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given := arguments{"base_url": text(g.url), "api_key": text(w.AdminKey), "max_retries": acctest.Number(0)}
			for argument, value := range map[string]string{"ca_certificate": test.ca, "client_certificate": test.certificate, "client_key": test.key} {
				if value != "" {
					given[argument] = text(value)
				}
			}
			diags := acctest.NewProtocol(t).TryConfigure(given)
			at := acctest.At(test.at)
			if test.at == "" {
				at = nil
			}
			acctest.Expect(t, diags, tfprotov6.DiagnosticSeverityError, at, test.want...)
			if shown := diags[0].Summary + diags[0].Detail; strings.Contains(shown, w.AdminKey) || slices.ContainsFunc(strings.Fields(g.key+"\n"+bare+"\n"+short), func(line string) bool {
				return len(line) > 30 && strings.Contains(shown, line)
			}) {
				t.Errorf("the error shows the key: %s", shown)
			}
		})
	}
}

// TestAccProviderTLS_environment applies through the gateway with settings from the
// environment, and finds the key in no file and no output.
func TestAccProviderTLS_environment(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	g := startGateway(t, w)
	tf, _ := acctest.Installed(t, `provider "tunnel" {}`+"\n"+acctest.Resource("tunnel_reserved_address.x"))
	tf.Setenv(map[string]string{
		"TUNNEL_BASE_URL": g.url, "TUNNEL_API_KEY": w.AdminKey, "TUNNEL_CA_CERTIFICATE": g.ca,
		"TUNNEL_CLIENT_CERTIFICATE": g.certificate, "TUNNEL_CLIENT_KEY": g.key,
	})
	tf.Log("trace.log")
	tf.Apply(t)
	tf.ExpectNoChanges(t)
	for line := range strings.SplitSeq(g.key, "\n") {
		if len(line) > 30 && (strings.Contains(tf.StateFile(t), line) || strings.Contains(tf.Read(t, "trace.log"), line) || strings.Contains(tf.Output.String(), line)) {
			t.Error("the client key is shown")
		}
	}
}
