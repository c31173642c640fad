package main

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/crypto/ssh"
)

// makeKeys creates the keys and certificates for the demo configurations.
func makeKeys(dir string) error {
	for _, name := range []string{"host_key.pub", "user_key.pub"} {
		public, _, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return err
		}
		key, err := ssh.NewPublicKey(public)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), ssh.MarshalAuthorizedKey(key), 0o600); err != nil {
			return err
		}
	}
	if err := certificate(filepath.Join(dir, "certificate.pem"), filepath.Join(dir, "private_key.pem"), "www.example.com"); err != nil {
		return err
	}
	return certificate(filepath.Join(dir, "existing.pem"), filepath.Join(dir, "existing_key.pem"), "old.example.com")
}

func certificate(chainFile, keyFile, host string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: host},
		DNSNames:     []string{host},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().AddDate(0, 3, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err := os.WriteFile(chainFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		return err
	}
	return os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600)
}
