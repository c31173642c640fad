package traffic

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// ofService is the certificate of a host whose domain has none.
const ofService = "of the service"

// certificate decides which certificate a host gets, and reports whether it is valid.
func (d *decision) certificate() bool {
	found := slices.Concat(d.domains[d.Host], d.domains[wildcard(d.Host)])
	if len(found) == 0 {
		d.Certificate = ofService
		return true
	}
	serving := found[0]
	d.stop(serving.ID, "is the domain")
	cert, ok := d.others[serving.CertificateID].(*certificate)
	if !ok {
		if serving.Managed == nil {
			d.Certificate = ofService
			return true
		}
		d.Certificate, d.Target.NoCertificate = "none: the service has not issued one yet", true
		return false
	}
	d.Shown = cert.ID
	names := strings.Join(cert.SANs.DNSNames, ", ")
	d.Certificate = fmt.Sprintf("for %s until %s", names, cert.NotAfter.UTC().Format(time.DateTime))
	covers := func(name string) bool {
		name = strings.ToLower(name)
		return name == d.Host || name == wildcard(d.Host)
	}
	switch {
	case !slices.ContainsFunc(cert.SANs.DNSNames, covers):
		d.Certificate += ": not for this host"
	case d.Now.After(cert.NotAfter):
		d.Certificate += ": expired"
	case d.Now.Before(cert.NotBefore):
		d.Certificate += ": not valid yet"
	default:
		d.stop(cert.ID, "is the certificate")
		return true
	}
	d.stop(cert.ID, "is the certificate, %s", d.Certificate)
	return false
}
