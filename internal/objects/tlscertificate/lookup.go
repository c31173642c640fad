package tlscertificate

import (
	"cmp"
	"fmt"
	"iter"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// find returns the valid certificate for a host that expires last. If several
// expire at the same time, it returns the one that was created last. If there
// is none, the error lists the certificates for the host that are not valid, or
// else all certificates.
func find(host string, now time.Time, certificates iter.Seq[*api.TLSCertificate]) (*api.TLSCertificate, error) {
	var best *api.TLSCertificate
	var invalid, others []string
	for certificate := range certificates {
		if !covers(certificate, host) {
			others = append(others, fmt.Sprintf("%s (%s)", certificate.ID, name(certificate)))
			continue
		}
		if reason := notValid(certificate, now); reason != "" {
			invalid = append(invalid, fmt.Sprintf("%s (%s)", certificate.ID, reason))
			continue
		}
		if best == nil || later(certificate, best) > 0 {
			best = certificate
		}
	}
	switch {
	case best != nil:
		return best, nil
	case len(invalid) > 0:
		return nil, fmt.Errorf(
			"no TLS certificate for %s is currently valid. Found: %s. To read one of them, set id", host, crud.Enumerate(invalid),
		)
	case len(others) > 0:
		return nil, fmt.Errorf("no TLS certificate in the account matches %s. Existing certificates: %s", host, crud.Enumerate(others))
	}
	return nil, crud.NoneExist(api.TLSCertificates.Kind)
}

// notValid returns the reason why a certificate is not valid at a time, or an
// empty string if it is valid.
func notValid(certificate *api.TLSCertificate, now time.Time) string {
	if begin, err := attribute.ParseTime(string(certificate.NotBefore)); err == nil && now.Before(begin) {
		return "not valid before " + attribute.Date(begin)
	}
	if end, err := attribute.ParseTime(string(certificate.NotAfter)); err != nil || attribute.Expired(end, now) {
		return "expired on " + attribute.Date(end)
	}
	return ""
}

// later compares two certificates by expiry, then by creation time, then by id.
func later(a, b *api.TLSCertificate) int {
	return cmp.Or(
		compareTimes(string(a.NotAfter), string(b.NotAfter)), compareTimes(string(a.CreatedAt), string(b.CreatedAt)), cmp.Compare(a.ID, b.ID),
	)
}

func compareTimes(a, b string) int {
	at, _ := attribute.ParseTime(a)
	bt, _ := attribute.ParseTime(b)
	return at.Compare(bt)
}
