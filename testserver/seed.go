package testserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// seedObject is one object of a seed: the path of a collection or module, and
// the body to create it with.
type seedObject struct {
	Path string          `json:"path"`
	Body json.RawMessage `json:"body"`
}

// Seed creates objects from a JSON list such as
//
//	[{"path": "/backends/tunnel_group", "body": {"id": "bkdtg_one", "labels": {"team": "red"}}},
//	 {"path": "/edges/tls/edgtls_one/policy", "body": {"enabled": false}}]
//
// in the given order and without the validation rules for new objects, like
// [Server.ForceCreate] and [Server.ForcePut]. [Server.Reset] restores these
// objects. With [WithStore], a seed is applied only once. If the process was
// killed halfway, the next Seed continues and skips objects that already exist.
func (s *Server) Seed(data []byte) error {
	var objects []seedObject
	if err := body.DecodeStrict(bytes.NewReader(data), &objects); err != nil {
		return fmt.Errorf("parse the seed: %w", err)
	}
	known, _ := originTable.In(s.api.Store).Get(originKey)
	if known.Seeded {
		return nil
	}
	for i, object := range objects {
		if err := s.seed(object); err != nil {
			return fmt.Errorf("seed, object %d, path %s: %w", i+1, problem.Printable(object.Path), err)
		}
	}
	done := *known
	done.Seeded = true
	err := s.api.Store.Update(func(tx *store.Tx) error {
		originTable.In(s.api.Store).Put(tx, &done)
		return nil
	})
	s.start = s.api.Store.Snapshot()
	return err
}

func (s *Server) seed(object seedObject) error {
	method := http.MethodPost
	if e, _, err := s.api.Routes.Find(object.Path); err == nil && e.IsModule() {
		method = http.MethodPut
	}
	status, answer := s.do(method, object.Path, string(object.Body), true)
	continued := status == http.StatusConflict && s.resumed
	if status >= http.StatusBadRequest && !continued {
		return errors.New(member(answer, "msg"))
	}
	return nil
}

// SeedSSHCredentials creates n SSH credentials in one transaction and returns
// their ids, oldest first. Each has a unique valid ed25519 public key without a
// known private key.
func (s *Server) SeedSSHCredentials(n int) []string {
	ids, err := kinds.SeedSSHCredentials(s.api, s.AdminOwner, n)
	s.must(err)
	return ids
}
