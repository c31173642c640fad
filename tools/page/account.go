package main

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"time"
)

// creator creates objects. After an error it does nothing.
type creator struct {
	ctx context.Context
	s   *server
	err error
}

type fields = map[string]any

// create creates an object and returns its id.
func (c *creator) create(path string, body fields) string {
	answer := c.send(http.MethodPost, path, body)
	id, _ := answer["id"].(string)
	return id
}

func (c *creator) send(method, path string, body fields) fields {
	if c.err != nil {
		return nil
	}
	status, answer, err := c.s.send(c.ctx, method, path, body)
	if err == nil && status >= http.StatusBadRequest {
		err = fmt.Errorf("%s %s: %d %v", method, path, status, answer["msg"])
	}
	c.err = err
	return answer
}

// fill creates an account such as a small company has.
func (s *server) fill(ctx context.Context) error {
	c := &creator{ctx: ctx, s: s}
	web := c.create("/backends/tunnel_group", fields{"labels": fields{"app": "web"}})
	standby := c.create("/backends/tunnel_group", fields{"labels": fields{"app": "web", "site": "standby"}})
	api := c.create("/backends/tunnel_group", fields{"labels": fields{"app": "api"}})
	db := c.create("/backends/tunnel_group", fields{"labels": fields{"app": "db"}})
	sorry := c.create("/backends/http_response", fields{"description": "maintenance page", "status_code": 503})
	c.create("/backends/tunnel_group", fields{"labels": fields{"app": "old-shop"}})
	fallback := c.create("/backends/failover", fields{"description": "web, standby, page", "backends": []string{web, standby, sorry}})

	uploaded := c.create("/tls_certificates", certificate("www.example.com"))
	c.create("/tls_certificates", certificate("old.example.com"))
	c.create("/reserved_domains", fields{"domain": "www.example.com", "certificate_id": uploaded})
	for _, domain := range []string{"api.example.com", "db.example.com", "beta.example.com"} {
		c.create("/reserved_domains", fields{"domain": domain})
	}
	address, _ := c.send(http.MethodPost, "/reserved_addrs", fields{"description": "SSH"})["addr"].(string)

	www := c.create("/edges/https", fields{"hostports": []string{"www.example.com:443"}})
	routes := "/edges/https/" + www + "/routes"
	home := c.create(routes, fields{"match_type": "path_prefix", "match": "/", "backend": fields{"backend_id": fallback}})
	c.send(http.MethodPut, routes+"/"+home+"/compression", fields{})
	c.create(routes, fields{"match_type": "exact_path", "match": "/status", "backend": fields{"backend_id": sorry}})
	apis := c.create("/edges/https", fields{"hostports": []string{"api.example.com:443"}})
	v1 := c.create("/edges/https/"+apis+"/routes", fields{"match_type": "path_prefix", "match": "/v1", "backend": fields{"backend_id": api}})
	c.send(http.MethodPut, "/edges/https/"+apis+"/routes/"+v1+"/websocket_tcp_converter", fields{})
	c.create("/edges/tls", fields{"hostports": []string{"db.example.com:443"}, "backend": fields{"backend_id": db},
		"policy": fields{"inbound": []fields{{"actions": []fields{{"type": "terminate-tls"}}}}}})
	ssh := c.create("/edges/tcp", fields{"hostports": []string{address}, "backend": fields{"backend_id": db}})
	c.create("/_testserver/objects/backends/failover", fields{"description": "refers to nothing", "backends": []string{"bkdtg_deleted", api}})
	c.send(http.MethodGet, "/edges/tcp/"+ssh, nil)
	for _, path := range []string{"/backends/failover", "/edges/https", "/reserved_domains", "/tls_certificates"} {
		c.send(http.MethodGet, path, nil)
	}
	return c.err
}

// use sends requests that change the account and meet failures.
func (s *server) use(ctx context.Context) error {
	c := &creator{ctx: ctx, s: s}
	c.create("/backends/tunnel_group", fields{"labels": fields{"app": "new-shop"}})
	shop := c.create("/edges/https", fields{"hostports": []string{"beta.example.com:443"}})
	c.send(http.MethodPatch, "/edges/https/"+shop, fields{"description": "beta"})
	if c.err != nil {
		return c.err
	}
	rules := []fields{
		{"behavior": "429", "count": 2}, {"behavior": "503", "count": 1}, {"behavior": "503_after", "method": "PATCH", "count": 1},
	}
	if _, _, err := s.send(ctx, http.MethodPost, "/_testserver/behavior", rules); err != nil {
		return err
	}
	for _, call := range [][2]string{
		{http.MethodGet, "/edges/https/" + shop}, {http.MethodGet, "/edges/https/" + shop}, {http.MethodGet, "/backends/failover"},
		{http.MethodPatch, "/edges/https/" + shop}, {http.MethodGet, "/backends/failover"}, {http.MethodGet, "/ssh_credentials/sshcr_none"},
	} {
		if _, _, err := s.send(ctx, call[0], call[1], fields{"description": "beta"}); err != nil {
			return err
		}
	}
	return nil
}

// certificate returns the request that uploads a new certificate for a host.
func certificate(host string) fields {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(0, 3, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		panic(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		panic(err)
	}
	text := func(kind string, bytes []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}))
	}
	return fields{"certificate_pem": text("CERTIFICATE", der), "private_key_pem": text("PRIVATE KEY", key)}
}
