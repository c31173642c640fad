package provider

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
)

const (
	longestPath = 100     // bytes of a path that an error shows
	maxPEMFile  = 1 << 20 // 1 MiB
)

// pemSource is an argument that contains PEM, or the path of a file with it. The provider
// block takes precedence over the environment.
type pemSource struct {
	argument string
	from     string // the argument, or the environment variable
	value    string // "" if it is not set
}

func newPEMSource(argument string, value types.String) pemSource {
	variable := "TUNNEL_" + strings.ToUpper(argument)
	if value.ValueString() == "" {
		return pemSource{argument, variable, os.Getenv(variable)}
	}
	return pemSource{argument, argument, value.ValueString()}
}

func (s pemSource) isPEM() bool { return strings.Contains(s.value, "-----BEGIN ") }

// maybeSecret reports whether the value may be a secret by mistake, such as the API key.
func (s pemSource) maybeSecret() bool {
	_, err := os.Stat(s.value)
	return err != nil && !slices.Contains([]string{".pem", ".crt", ".cer"}, filepath.Ext(s.value))
}

// read returns the PEM. The error does not repeat it.
func (s pemSource) read() (string, error) {
	if s.isPEM() {
		return s.value, nil
	}
	found := attribute.Quote(s.value)
	if s.argument == "client_key" || len(s.value) > longestPath || strings.Contains(s.value, "\n") || s.maybeSecret() {
		found = "a text that may be a secret, so it is not shown"
	}
	text, _, err := readFile(s.value, maxPEMFile)
	if err != nil {
		return "", fmt.Errorf("must be PEM, or the path of a file with PEM; found %s, which cannot be read: %w", found, err)
	}
	return text, nil
}

// fail adds an error for the argument, at its line unless that may show a secret.
func (s pemSource) fail(diags *diag.Diagnostics, err error) {
	if !s.isPEM() && s.maybeSecret() {
		diags.AddError("Invalid "+s.argument, s.from+" "+err.Error()+".")
		return
	}
	diags.AddAttributeError(path.Root(s.argument), "Invalid "+s.argument, s.from+" "+err.Error()+".")
}

// tls returns the TLS settings of the provider block, or nil for the defaults.
func (m *model) tls(scheme string, diags *diag.Diagnostics) *tls.Config {
	ca := newPEMSource("ca_certificate", m.CACertificate)
	client, key := newPEMSource("client_certificate", m.ClientCertificate), newPEMSource("client_key", m.ClientKey)
	var set []pemSource
	for _, source := range []pemSource{ca, client, key} {
		if source.value != "" {
			set = append(set, source)
		}
	}
	switch {
	case len(set) == 0:
		return nil
	case scheme != "https":
		set[0].fail(diags, errors.New("has no effect, because base_url begins with http://. Use https://, or remove it"))
		return nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca.value != "" {
		text, err := ca.read()
		var authorities []*x509.Certificate
		if err == nil {
			authorities, err = pki.ParseChain(text)
		}
		if err != nil {
			ca.fail(diags, err)
		}
		config.RootCAs = x509.NewCertPool()
		for _, authority := range authorities {
			config.RootCAs.AddCert(authority)
		}
	}
	switch {
	case client.value == "" && key.value != "":
		key.fail(diags, errors.New("is set without client_certificate. Set both, or neither"))
	case client.value != "" && key.value == "":
		client.fail(diags, errors.New("is set without client_key. Set both, or neither"))
	case client.value != "":
		certificate, wrong, err := readClientCertificate(client, key)
		if err != nil {
			wrong.fail(diags, err)
		}
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return certificate, nil }
	}
	return config
}

// readClientCertificate returns a client certificate with its key. With an error, wrong
// is the argument that it is about.
func readClientCertificate(chain, key pemSource) (certificate *tls.Certificate, wrong pemSource, err error) {
	text, err := chain.read()
	if err != nil {
		return nil, chain, err
	}
	certificates, err := pki.ParseChain(text)
	if err != nil {
		return nil, chain, err
	}
	if text, err = key.read(); err != nil {
		return nil, key, err
	}
	signer, err := pki.ParsePrivateKey(text)
	if err != nil {
		return nil, key, err
	}
	leaf := certificates[0]
	if !pki.SamePublicKey(signer.Public(), leaf.PublicKey) {
		return nil, key, fmt.Errorf("does not match the first certificate in %s (%s). Set the key that it was issued for, and the leaf "+
			"certificate first", chain.from, attribute.Quote(pki.CertificateName(leaf)))
	}
	certificate = &tls.Certificate{PrivateKey: signer, Leaf: leaf}
	for _, one := range certificates {
		certificate.Certificate = append(certificate.Certificate, one.Raw)
	}
	return certificate, wrong, nil
}
