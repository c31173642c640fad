package api

// SSHHostCertificate is an SSH host key signed by an SSH certificate authority.
type SSHHostCertificate struct {
	Object
	PublicKey                 string   `json:"public_key"` // OpenSSH authorized-keys format
	KeyType                   Info     `json:"key_type"`   // rsa, ecdsa or ed25519
	SSHCertificateAuthorityID string   `json:"ssh_certificate_authority_id"`
	Principals                []string `json:"principals"`  // empty: all hosts
	ValidAfter                string   `json:"valid_after"` // RFC 3339
	ValidUntil                string   `json:"valid_until"` // RFC 3339
	Certificate               string   `json:"certificate"` // OpenSSH authorized-keys format
}

// SSHHostCertificateCreate is the body that creates an SSH host certificate.
// The defaults of the service are: valid from now, for a year, for all hosts.
type SSHHostCertificateCreate struct {
	Details
	SSHCertificateAuthorityID string   `json:"ssh_certificate_authority_id"`
	PublicKey                 string   `json:"public_key"`
	Principals                []string `json:"principals,omitempty"`
	ValidAfter                string   `json:"valid_after,omitempty"`
	ValidUntil                string   `json:"valid_until,omitempty"`
}

// SSHHostCertificates are the SSH host certificates of the account.
var SSHHostCertificates = identified[SSHHostCertificate](
	Kind{
		Noun: "SSH host certificate", Prefix: "shcrt_", Path: "/ssh_host_certificates", ListField: "ssh_host_certificates", StatesLimits: true,
	},
)
