package api

import (
	"bytes"
	"encoding/json"
)

// ReservedDomain is a domain that edges of the account can serve.
type ReservedDomain struct {
	Object
	Domain                      string             `json:"domain"`
	CNAMETarget                 Info               `json:"cname_target"` // "" if the domain needs no CNAME record
	Certificate                 Ref                `json:"certificate"`  // without an id if there is none
	CertificateManagementPolicy *CertificatePolicy `json:"certificate_management_policy"`
	CertificateManagementStatus CertificateStatus  `json:"certificate_management_status"`
	ACMEChallengeCNAMETarget    Info               `json:"acme_challenge_cname_target"`
}

// CertificatePolicy is the policy by which the service gets certificates.
type CertificatePolicy struct {
	Authority      string `json:"authority"`
	PrivateKeyType string `json:"private_key_type,omitempty"`
}

// CertificateStatus is the state of a certificate that the service gets by a
// policy. Without a policy, Present is false.
type CertificateStatus struct {
	Present         bool            `json:"-"`
	RenewsAt        Info            `json:"renews_at"` // RFC 3339; "" if unknown
	ProvisioningJob ProvisioningJob `json:"provisioning_job"`
}

// ProvisioningJob is the attempt to get a certificate. Without one, Present is
// false.
type ProvisioningJob struct {
	Present   bool `json:"-"`
	ErrorCode Info `json:"error_code"`
	Message   Info `json:"msg"`
	StartedAt Info `json:"started_at"` // RFC 3339
	RetriesAt Info `json:"retries_at"` // RFC 3339
}

// UnmarshalJSON never returns an error, because the status is only informative.
func (s *CertificateStatus) UnmarshalJSON(value []byte) error {
	type plain CertificateStatus
	*s = CertificateStatus{}
	s.Present = json.Unmarshal(value, (*plain)(s)) == nil && bytes.HasPrefix(value, []byte("{"))
	return nil
}

// UnmarshalJSON never returns an error, because the job is only informative.
func (j *ProvisioningJob) UnmarshalJSON(value []byte) error {
	type plain ProvisioningJob
	*j = ProvisioningJob{}
	j.Present = json.Unmarshal(value, (*plain)(j)) == nil && bytes.HasPrefix(value, []byte("{"))
	return nil
}

// Policy returns the policy by which the service gets certificates, or nil if
// there is none.
func (d *ReservedDomain) Policy() *CertificatePolicy { return used(d.CertificateManagementPolicy) }

// CertificateID returns the id of the certificate that a user has assigned, and
// "" if there is none or the service manages it.
func (d *ReservedDomain) CertificateID() string {
	if d.Policy() != nil {
		return ""
	}
	return d.Certificate.ID
}

// ReservedDomainCreate is the body that creates a reserved domain.
type ReservedDomainCreate struct {
	Details
	Domain                      string             `json:"domain"`
	CertificateID               string             `json:"certificate_id,omitempty"`
	CertificateManagementPolicy *CertificatePolicy `json:"certificate_management_policy,omitempty"`
}

// ReservedDomainUpdate is the body that updates a reserved domain. Null clears
// the certificate or the policy.
type ReservedDomainUpdate struct {
	Details
	CertificateID               *string            `json:"certificate_id"`
	CertificateManagementPolicy *CertificatePolicy `json:"certificate_management_policy"`
}

// ReservedDomains are the reserved domains of the account.
var ReservedDomains = identified[ReservedDomain](
	Kind{Noun: "reserved domain", Prefix: "rd_", Path: "/reserved_domains", ListField: "reserved_domains"},
)
