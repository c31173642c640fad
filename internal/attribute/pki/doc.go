// Package pki defines what certificates and keys mean: PEM, chains of X.509
// certificates, private keys, SSH public keys and certificates, the host names in
// known_hosts files, and who can decrypt a text. It may use the formats and rules of
// attribute, but no type of the service, and no error of it may repeat a private key.
package pki
