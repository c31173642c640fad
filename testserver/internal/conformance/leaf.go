package conformance

import (
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"time"
)

// leaf uploads a certificate of an authority, and checks that the service shows what the
// leaf contains: not the authority, and no values of its own.
func (s *story) leaf() {
	if s.route != "/tls_certificates" {
		return
	}
	members := s.run.smallestOf(s.route)
	chain, key := issuedChain()
	members["certificate_pem"], members["private_key_pem"] = chain, key
	id, _, err := s.run.make(s.route, s.path, members)
	v := s.rule("a certificate of an authority", http.MethodPost, s.route, s.path)
	v.body, v.status = members, http.StatusCreated
	var its map[string]any
	if err == nil {
		its, err = s.run.read(s.path+"/"+id, s.item)
	}
	if err != nil {
		s.run.judged(v, nil, err)
		return
	}
	certificate := parsed(chain)
	v.name, v.method, v.route, v.path, v.body = "leaf: the chain", http.MethodGet, s.item, s.path+"/"+id, nil
	var d *difference
	switch s.run.stored("certificate_pem", chain, its["certificate_pem"]) {
	case Differs:
		d = differs("certificate_pem with the chain that was sent", cut(text(its["certificate_pem"])))
	case Otherwise:
		d = otherwise("certificate_pem with the chain that was sent", "the leaf alone")
	}
	s.run.judged(v, d, nil)
	names, _ := its["subject_alternative_names"].(map[string]any)
	moment := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	for _, member := range []struct {
		name        string
		want, found any
	}{
		{"subject_common_name", certificate.Subject.CommonName, its["subject_common_name"]},
		{"subject_organization", certificate.Subject.Organization[0], its["subject_organization"]},
		{"subject_locality", "", its["subject_locality"]},
		{"issuer_common_name", certificate.Issuer.CommonName, its["issuer_common_name"]},
		{"private_key_type", "ecdsa", its["private_key_type"]},
		{"not_before", moment(certificate.NotBefore), its["not_before"]},
		{"not_after", moment(certificate.NotAfter), its["not_after"]},
		{"issued_at", nil, its["issued_at"]},
		{"dns_names", []any{certificate.DNSNames[0]}, names["dns_names"]},
		{"ips", []any{certificate.IPAddresses[0].String()}, names["ips"]},
	} {
		v.name, d = "leaf: "+member.name, nil
		status := s.run.stored(member.name, member.want, member.found)
		if _, isList := member.want.([]any); isList {
			status = storedSet(member.want, member.found)
		}
		if status == Differs {
			d = differs(fmt.Sprintf("%s of the leaf, %s", member.name, asJSON(member.want)), cut(asJSON(member.found)))
		}
		s.run.judged(v, d, nil)
	}
	for _, member := range []string{"key_usages", "extended_key_usages"} { // in any notation
		v.name, d = "leaf: "+member, nil
		if len(list(its[member])) != 1 {
			d = differs("one element in "+member+", as in the leaf", cut(asJSON(its[member])))
		}
		s.run.judged(v, d, nil)
	}
	v.name, d = "leaf: serial_number", nil
	digits := strings.NewReplacer(":", "", " ", "", "0x", "").Replace(strings.ToLower(text(its["serial_number"])))
	if number, isHex := new(big.Int).SetString(digits, 16); !isHex || number.Cmp(certificate.SerialNumber) != 0 {
		d = differs(fmt.Sprintf("the serial number of the leaf, %x", certificate.SerialNumber), cut(asJSON(its["serial_number"])))
		if number, isDecimal := new(big.Int).SetString(digits, 10); isDecimal && number.Cmp(certificate.SerialNumber) == 0 {
			d.status = Otherwise
		}
	}
	s.run.judged(v, d, nil)
	s.run.discard(s.path + "/" + id)
}
