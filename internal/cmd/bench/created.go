package main

import (
	"context"
	"os"
	"path/filepath"
)

const createdCertificates = `resource "tunnel_tls_certificate" "test" {
  count           = local.n
  certificate_pem = local.certificates.chains[count.index]
  private_key_pem = local.certificates.private_key
}
`

// created compares the creation of TLS certificates. A provider that does
// nothing has a smaller state, which Terraform writes after each object. The
// second row therefore returns the same state as this provider.
func (s *stage) created(ctx context.Context, n, runs int) error {
	heading()
	dir, err := s.unapplied("created", providerBlock+createdCertificates, n)
	if err != nil {
		return err
	}
	apply := []string{"apply", "-auto-approve", "-lock=false"}
	if _, err := s.run(ctx, row{dir: dir, program: s.provider}, apply, false); err != nil {
		return err
	}
	results := filepath.Join(s.dir, "results.tfstate")
	if err := os.Rename(filepath.Join(dir, "terraform.tfstate"), results); err != nil {
		return err
	}
	const name = "apply of new TLS certificates"
	rows := []row{
		{name: name + ", a provider that does nothing", dir: dir, program: s.hollow, fresh: true},
		{name: name + ", a provider that returns the same state", dir: dir, program: s.hollow, fresh: true, results: results},
		{name: name, dir: dir, program: s.provider, fresh: true},
	}
	_, err = s.compare(ctx, rows, n, apply, runs)
	return err
}
