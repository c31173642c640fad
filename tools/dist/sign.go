package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// signingKey returns the armored secret key, unlocked with the passphrase.
// Without one it makes a key that nobody trusts, to try a release.
func signingKey(armored, passphrase string) (*openpgp.Entity, error) {
	if armored == "" {
		fmt.Fprintln(os.Stderr, "dist: GPG_PRIVATE_KEY is not set: the signatures are of a throw-away key")
		return openpgp.NewEntity("Throw-away key", "not for a release", "", &packet.Config{Algorithm: packet.PubKeyAlgoRSA, RSABits: 3072})
	}
	keys, err := openpgp.ReadArmoredKeyRing(strings.NewReader(armored))
	if err != nil {
		return nil, fmt.Errorf("GPG_PRIVATE_KEY: %w", err)
	}
	if len(keys) != 1 || keys[0].PrivateKey == nil {
		return nil, errors.New("GPG_PRIVATE_KEY is not one armored secret key")
	}
	if err := keys[0].DecryptPrivateKeys([]byte(passphrase)); err != nil {
		return nil, fmt.Errorf("PASSPHRASE does not unlock GPG_PRIVATE_KEY: %w", err)
	}
	return keys[0], nil
}

// sign returns a binary detached signature, which is what registries need.
func sign(key *openpgp.Entity, content []byte) ([]byte, error) {
	var signature bytes.Buffer
	err := openpgp.DetachSign(&signature, key, bytes.NewReader(content), nil)
	return signature.Bytes(), err
}

// publicKey returns the armored public key.
func publicKey(key *openpgp.Entity) ([]byte, error) {
	var out bytes.Buffer
	w, err := armor.Encode(&out, openpgp.PublicKeyType, nil)
	if err != nil {
		return nil, err
	}
	if err := key.Serialize(w); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return append(out.Bytes(), '\n'), nil
}
