package api

import "testing"

// A status that is not an object says nothing, and the certificate of a policy is
// the service's own.
func TestReservedDomain_certificate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		id          string
		status, job bool
	}{
		`{}`: {},
		`{"certificate":null,"certificate_management_policy":null,"certificate_management_status":null}`: {},
		`{"certificate":{"id":"cert_1"}}`: {id: "cert_1"},
		`{"certificate":{"id":"cert_1"},"certificate_management_policy":{"authority":"letsencrypt"}}`:      {},
		`{"certificate_management_policy":{"authority":"letsencrypt"},"certificate_management_status":{}}`: {status: true},
		`{"certificate_management_status":{"renews_at":5,"provisioning_job":null}}`:                        {status: true},
		`{"certificate_management_status":{"provisioning_job":{"msg":"wait"}}}`:                            {status: true, job: true},
		`{"certificate_management_status":{"provisioning_job":"failed"}}`:                                  {status: true},
		`{"certificate_management_status":"none"}`:                                                         {},
		`{"certificate_management_status":[]}`:                                                             {},
	} {
		domain, err := decode[ReservedDomain]([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		status := domain.CertificateManagementStatus
		if domain.CertificateID() != want.id || status.Present != want.status || status.ProvisioningJob.Present != want.job {
			t.Errorf("%s: certificate %q, %+v", text, domain.CertificateID(), status)
		}
	}
}
