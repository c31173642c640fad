package kinds

import (
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// renewBefore is how long before its end the service renews a certificate that it
// manages, or half of the lifetime if that is shorter.
const renewBefore = 30 * 24 * time.Hour

// renewsAt returns when the service renews a certificate that it manages.
func (c *tlsCertificate) renewsAt() time.Time {
	return c.NotAfter.Add(-min(renewBefore, c.lifetime()/2))
}

func (c *tlsCertificate) lifetime() time.Duration { return c.NotAfter.Sub(c.NotBefore) }

// RenewCertificates renews the certificates of domains with a policy that are due, as
// often as they became due until now. A domain whose first certificate is not there
// yet stays as it is. Private keys are not kept.
func (s *Service) RenewCertificates(ids *engine.IDs, now time.Time) error {
	domains, certificates := reservedDomainTable.In(s.store), tlsCertificateTable.In(s.store)
	return s.store.Update(func(tx *store.Tx) error {
		for _, domain := range domains.All() {
			old, found := certificates.Get(domain.CertificateID)
			if domain.Policy == nil || !found || old.lifetime() <= 0 || now.Before(old.renewsAt()) {
				continue
			}
			renewed, err := old.renewed(domain.Policy.PrivateKeyType, now)
			if err != nil {
				return err
			}
			renewed.identified = identified{ID: ids.Next("cert_", renewed.NotBefore), CreatedAt: renewed.NotBefore}
			certificates.Put(tx, renewed)
			changed := copyOf(domain)
			changed.CertificateID = renewed.ID
			domains.Put(tx, changed)
		}
		return nil
	})
}

// renewed returns the certificate that is in use at a time, if each one is renewed when
// it is due and has the same lifetime.
func (c *tlsCertificate) renewed(keyType string, now time.Time) (*tlsCertificate, error) {
	interval := c.renewsAt().Sub(c.NotBefore)
	begin := c.NotBefore.Add(now.Sub(c.NotBefore) / interval * interval)
	chain, _, err := keys.ParseChain(c.CertificatePEM)
	if err != nil {
		return nil, err
	}
	key, err := keys.New(keyType, elliptic.P256(), keys.MinRSABits)
	if err != nil {
		return nil, err
	}
	authority, err := keys.New("ecdsa", elliptic.P256(), 0)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	leaf := &x509.Certificate{
		SerialNumber: serial, Subject: chain[0].Subject, NotBefore: begin, NotAfter: begin.Add(c.lifetime()),
		DNSNames: chain[0].DNSNames, IPAddresses: chain[0].IPAddresses, KeyUsage: chain[0].KeyUsage,
		ExtKeyUsage: chain[0].ExtKeyUsage, BasicConstraintsValid: true,
	}
	content, err := x509.CreateCertificate(rand.Reader, leaf, &x509.Certificate{Subject: chain[0].Issuer}, key.Public(), authority)
	if err != nil {
		return nil, err
	}
	text := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: content}))
	chain, normalized, err := keys.ParseChain(text)
	if err != nil {
		return nil, err
	}
	renewed := describeLeaf(chain[0])
	renewed.Description, renewed.Metadata = c.Description, c.Metadata
	renewed.CertificatePEM, renewed.IssuedAt = normalized, &leaf.NotBefore
	return renewed, nil
}
