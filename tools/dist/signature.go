package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// keyValidity is how long a key must last. When it ends, gpg and, if it is told
// to, OpenTofu refuse every release that was signed with it.
const keyValidity = 180 * 24 * time.Hour

// checkSignature checks a detached signature as a registry and Terraform do.
func checkSignature(keys openpgp.EntityList, content, signature []byte, now time.Time) error {
	if bytes.HasPrefix(signature, []byte("-----BEGIN")) {
		return errors.New("is armored: registries need a binary signature")
	}
	created, signer, err := openpgp.VerifyDetachedSignature(keys, bytes.NewReader(content), bytes.NewReader(signature), at(now))
	if err != nil {
		return err
	}
	if err := checkAlgorithm(signer, created.PubKeyAlgo); err != nil {
		return err
	}
	_, _, err = openpgp.VerifyDetachedSignature(keys, bytes.NewReader(content), bytes.NewReader(signature), at(now.Add(keyValidity)))
	if errors.Is(err, pgperrors.ErrKeyExpired) || errors.Is(err, pgperrors.ErrSignatureExpired) {
		return expiresSoon(signer)
	}
	return err
}

// checkKey checks that the public key of releases can be used, now and for a
// while.
func checkKey(armored string, now time.Time) error {
	keys, err := openpgp.ReadArmoredKeyRing(strings.NewReader(armored))
	if err != nil {
		return err
	}
	if len(keys) != 1 {
		return fmt.Errorf("the file has %d keys, want one", len(keys))
	}
	key, ok := keys[0].SigningKey(now.Add(keyValidity))
	if !ok {
		return expiresSoon(keys[0])
	}
	return checkAlgorithm(keys[0], key.PublicKey.PubKeyAlgo)
}

func checkAlgorithm(key *openpgp.Entity, algorithm packet.PublicKeyAlgorithm) error {
	switch algorithm {
	case packet.PubKeyAlgoRSA, packet.PubKeyAlgoRSASignOnly, packet.PubKeyAlgoDSA:
		return nil
	}
	return fmt.Errorf("key %X is neither RSA nor DSA: the Terraform registry accepts no other", key.PrimaryKey.Fingerprint)
}

func expiresSoon(key *openpgp.Entity) error {
	return fmt.Errorf("key %X or its signature expires within %d days", key.PrimaryKey.Fingerprint, int(keyValidity.Hours()/24))
}

func at(when time.Time) *packet.Config {
	return &packet.Config{Time: func() time.Time { return when }}
}
