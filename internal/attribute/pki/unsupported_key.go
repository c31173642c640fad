package pki

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
)

const (
	otherCurve     = "an unsupported elliptic curve. Use P-256, P-384 or P-521"
	explicitPoints = "an ECDSA key with explicit parameters. Convert it with: openssl pkey -ec_param_enc named_curve -in KEYFILE -out NAMED"
)

// keyAlgorithms maps the algorithms of keys that are not supported to their
// names.
var keyAlgorithms = map[string]string{
	"1.2.840.10040.4.1":     "a DSA key",
	"1.2.840.113549.1.1.10": "an RSA-PSS key",
	"1.2.840.113549.1.3.1":  "a Diffie-Hellman key",
	"1.3.101.110":           "an X25519 key",
	"1.3.101.111":           "an X448 key",
	"1.3.101.113":           "an Ed448 key",
}

const algorithmECDSA = "1.2.840.10045.2.1"

// parsedCurves are the elliptic curves of keys that crypto/x509 can parse.
var parsedCurves = map[string]bool{"1.3.132.0.33": true, "1.2.840.10045.3.1.7": true, "1.3.132.0.34": true, "1.3.132.0.35": true}

// unsupportedKey names the type of a private key that cannot be parsed because
// its type is not supported. It returns "" if that is not the reason. It reads
// only the identifiers of the algorithm and the curve, and shows none that it
// does not know, so that it repeats nothing of the key.
func unsupportedKey(block *pem.Block) string {
	var parameters asn1.RawValue
	switch block.Type {
	case "PRIVATE KEY":
		var key struct {
			Version   int
			Algorithm pkix.AlgorithmIdentifier
			Key       []byte
		}
		if _, err := asn1.Unmarshal(block.Bytes, &key); err != nil {
			return ""
		}
		if algorithm := key.Algorithm.Algorithm.String(); algorithm != algorithmECDSA {
			return keyAlgorithms[algorithm]
		}
		parameters = key.Algorithm.Parameters
	case "EC PRIVATE KEY":
		var key struct {
			Version int
			Key     []byte
			Curve   asn1.RawValue `asn1:"optional,tag:0"` // explicit, so that the parameters are its content
		}
		if _, err := asn1.Unmarshal(block.Bytes, &key); err != nil {
			return ""
		}
		_, _ = asn1.Unmarshal(key.Curve.Bytes, &parameters)
	}
	if parameters.Tag == asn1.TagSequence {
		return explicitPoints
	}
	var curve asn1.ObjectIdentifier
	if _, err := asn1.Unmarshal(parameters.FullBytes, &curve); err != nil || parsedCurves[curve.String()] {
		return ""
	}
	return "an ECDSA key with " + otherCurve
}
