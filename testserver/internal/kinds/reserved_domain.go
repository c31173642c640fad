package kinds

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// reservedDomain is a domain that edges can serve, and the certificate for it:
// an uploaded one, or one that the service gets and renews by a policy.
type reservedDomain struct {
	common
	Domain        string             `json:"domain"`
	CertificateID string             `json:"certificate_id,omitempty"`
	Policy        *certificatePolicy `json:"certificate_management_policy"`
	PolicySince   time.Time          `json:"policy_since,omitzero"`
}

const (
	reservedDomainPath                                 = "/reserved_domains"
	reservedDomainTable store.TableOf[*reservedDomain] = "reserved_domains"
)

// certificatePolicy is the policy by which the service gets certificates for a
// domain.
type certificatePolicy struct {
	Authority      string `json:"authority"`
	PrivateKeyType string `json:"private_key_type"`
}

// OwnDomain is the domain of the service. Domains under it need no CNAME
// record.
const OwnDomain = "tunnel.example"

func (d *reservedDomain) Unique() string { return strings.ToLower(d.Domain) }
func (d *reservedDomain) Label() string  { return d.Domain }

func (d *reservedDomain) Refers() []string {
	if d.CertificateID == "" {
		return nil
	}
	return []string{d.CertificateID}
}

func reservedDomains(s *Service) engine.Collection[*reservedDomain] {
	return engine.Collection[*reservedDomain]{
		Path:   reservedDomainPath,
		Prefix: "rd_",
		Field:  "reserved_domains",
		Noun:   "reserved domain",
		Table:  reservedDomainTable.In(s.store),
		Refers: []string{"/tls_certificates"},
		Create: s.newReservedDomain,
		Update: func(c *engine.Call, old *reservedDomain, in *body.Object) *reservedDomain {
			domain := copyOf(old)
			domain.common = old.updated(in)
			s.readCertificate(c, in, domain)
			return domain
		},
		Users: func(d *reservedDomain) []string { return s.edgesOn(d.ID) },
		View: func(c *engine.Call, uri string, d *reservedDomain) any {
			return s.showReservedDomain(c, uri, d)
		},
	}
}

func (s *Service) newReservedDomain(c *engine.Call, in *body.Object) (*reservedDomain, error) {
	domain := &reservedDomain{common: newCommon(c, in), Domain: in.Required("domain")}
	host := strings.TrimPrefix(domain.Domain, "*.")
	_, noAddress := netip.ParseAddr(host)
	in.Rule(keys.ValidDomain(host) && noAddress != nil, "domain",
		"invalid domain %s: expected a host name such as www.example.com or *.example.com", problem.Printable(domain.Domain))
	s.readCertificate(c, in, domain)
	if err := in.End(); err != nil {
		return nil, err
	}
	if _, taken := reservedDomainTable.In(s.store).Holder(domain.Unique()); taken {
		return nil, problem.Invalid("domain", "the domain %s is already reserved", domain.Domain)
	}
	return domain, nil
}

// readCertificate reads the certificate or the policy of a request. Setting one
// clears the other, and null clears either. Forced out-of-band requests can set
// both, as if the service had got a certificate by the policy.
func (s *Service) readCertificate(c *engine.Call, in *body.Object, domain *reservedDomain) {
	id, policy := in.Reference("certificate_id", "certificate"), in.Nested("certificate_management_policy")
	if id != nil && *id != "" {
		_, exists := tlsCertificateTable.In(s.store).Get(*id)
		in.Rule(exists, "certificate_id", "TLS certificate %s does not exist", problem.Printable(*id))
		in.Rule(policy == nil, "certificate_management_policy", "only one of certificate_id and certificate_management_policy can be set")
	}
	if in.IsNull("certificate_management_policy") || id != nil && *id != "" && !in.Forced() {
		domain.Policy = nil
	}
	if in.IsNull("certificate_id") || policy != nil && !in.Forced() {
		domain.CertificateID = ""
	}
	if id != nil {
		domain.CertificateID = *id
	}
	if policy != nil {
		chosen := &certificatePolicy{policy.Required("authority"), cmp.Or(orExisting(policy.Text("private_key_type"), ""), "ecdsa")}
		policy.Rule(chosen.Authority == "letsencrypt", "authority", "authority must be letsencrypt")
		policy.Rule(slices.Contains([]string{"rsa", "ecdsa"}, chosen.PrivateKeyType), "private_key_type", "private_key_type must be rsa or ecdsa")
		policy.RefuseUnknown()
		domain.Policy, domain.PolicySince = chosen, c.Time.Truncate(time.Second)
	}
	if in.IsAnswer() {
		domain.PolicySince = orExisting(jobStart(in), domain.PolicySince)
	}
}

// jobStart returns when the service began to get the certificate of a domain that
// the API returned.
func jobStart(in *body.Object) *time.Time {
	status := in.Nested("certificate_management_status")
	if status == nil {
		return nil
	}
	job := status.Nested("provisioning_job")
	if job == nil {
		return nil
	}
	return job.Time("started_at")
}

// domainView is the JSON form of a reserved domain.
type domainView struct {
	URI string `json:"uri"`
	common
	Domain      string             `json:"domain"`
	CNAMETarget *string            `json:"cname_target"`
	Certificate *reference         `json:"certificate"`
	Policy      *certificatePolicy `json:"certificate_management_policy"`
	Status      *certificateStatus `json:"certificate_management_status"`
	ACMETarget  *string            `json:"acme_challenge_cname_target"`
}

// certificateStatus is the state of a certificate that the service gets by a
// policy.
type certificateStatus struct {
	RenewsAt *time.Time       `json:"renews_at"`
	Job      *provisioningJob `json:"provisioning_job"` // null once there is a certificate
}

type provisioningJob struct {
	ErrorCode *string    `json:"error_code"`
	Message   string     `json:"msg"`
	StartedAt time.Time  `json:"started_at"`
	RetriesAt *time.Time `json:"retries_at"`
}

func (s *Service) showReservedDomain(c *engine.Call, uri string, d *reservedDomain) domainView {
	view := domainView{URI: uri, common: d.common, Domain: d.Domain, Policy: d.Policy}
	label := strings.ToLower(d.ID[strings.IndexByte(d.ID, '_')+1:])
	if !strings.HasSuffix(d.Unique(), "."+OwnDomain) {
		target := label + ".cname." + OwnDomain
		view.CNAMETarget = &target
	}
	if d.CertificateID != "" {
		view.Certificate = &reference{d.CertificateID, c.Base() + "/tls_certificates/" + d.CertificateID}
	}
	if d.Policy == nil {
		return view
	}
	view.Status = &certificateStatus{}
	if cert, ok := tlsCertificateTable.In(s.store).Get(d.CertificateID); ok {
		renewal := cert.renewsAt()
		view.Status.RenewsAt = &renewal
	} else {
		view.Status.Job = &provisioningJob{Message: "Managed certificate provisioning in progress.", StartedAt: d.PolicySince}
	}
	if strings.HasPrefix(d.Domain, "*.") {
		target := label + ".acme." + OwnDomain
		view.ACMETarget = &target
	}
	return view
}

// domainOf returns the id of the reserved domain that covers the host of a
// hostport: the domain itself, or else a wildcard for its first label. It
// returns "" if there is none.
func (s *Service) domainOf(hostport string) string {
	host := strings.ToLower(hostport[:strings.LastIndexByte(hostport, ':')])
	if id, ok := reservedDomainTable.In(s.store).Holder(host); ok {
		return id
	}
	_, parent, _ := strings.Cut(host, ".")
	id, _ := reservedDomainTable.In(s.store).Holder("*." + parent)
	return id
}
