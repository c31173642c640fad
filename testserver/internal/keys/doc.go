// Package keys parses and checks what has a grammar of its own: certificates and
// private keys in PEM, SSH public keys, ACL rules, host names and ports. It uses
// body, to read such a value of a request, and problem. Stored objects, and
// errors that contain the value, must stay out: it can be a private key.
package keys
