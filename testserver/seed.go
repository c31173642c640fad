package testserver

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// seedObject is one object of a seed: the path of a collection or module, and
// the object to create there.
type seedObject struct {
	Path string          `json:"path"`
	Body json.RawMessage `json:"body"`
}

// wholeAccount is a seed that replaces the objects that exist from the start.
type wholeAccount struct {
	Objects []seedObject `json:"objects"`
}

// Seed creates objects from a JSON list such as
//
//	[{"path": "/backends/tunnel_group", "body": {"id": "bkdtg_one", "labels": {"team": "red"}}},
//	 {"path": "/edges/tls/edgtls_one/policy", "body": {"enabled": false}}]
//
// in the given order and without the validation rules for new objects, like
// [Server.ForceCreate] and [Server.ForcePut]. A body can also be an object as the
// API returns it: it keeps its id, created_at, keys and certificates. A JSON object
// with such a list, as [Server.Export] returns it, is a whole account: the objects
// that exist from the start (see [Parents]) are deleted first.
//
// If an object is invalid, the error says which, and Seed creates nothing.
// [Server.Reset] restores the objects of a seed. With [WithStore], a seed is applied
// only once, and stored as a whole.
func (s *Server) Seed(data []byte) error {
	objects, whole, err := parseSeed(data)
	if err != nil {
		return fmt.Errorf("parse the seed: %w", err)
	}
	known, _ := originTable.In(s.api.Store).Get(originKey)
	if known.Seeded {
		return nil
	}
	before := s.api.Store.Snapshot()
	err = s.api.Store.Batch(func() error {
		done := *known
		if whole {
			s.clear()
			done.Parents, s.Parents = Parents{}, Parents{}
		}
		for i, object := range objects {
			if err := s.seed(object); err != nil {
				err = fmt.Errorf("seed, object %d, path %s: %w", i+1, problem.Printable(object.Path), err)
				s.Parents = known.Parents
				return errors.Join(err, s.api.Store.Restore(before))
			}
		}
		done.Seeded = true
		return s.api.Store.Update(func(tx *store.Tx) error {
			originTable.In(s.api.Store).Put(tx, &done)
			return nil
		})
	})
	s.start = s.api.Store.Snapshot()
	return err
}

func parseSeed(data []byte) (objects []seedObject, whole bool, err error) {
	data = body.FileText(data)
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		var account wholeAccount
		var one seedObject
		if json.Unmarshal(data, &one) == nil && one.Path != "" {
			return nil, false, errors.New("it is one object: expected a list, with [ and ] around the object")
		}
		err = body.DecodeStrict(data, &account)
		if err == nil && account.Objects == nil {
			err = errors.New(`expected a list of objects, or an account with the list "objects"`)
		}
		return account.Objects, true, err
	}
	err = body.DecodeStrict(data, &objects)
	return objects, false, err
}

// clear deletes all objects.
func (s *Server) clear() {
	for _, names := range kinds.Roots() {
		for _, object := range s.List(names.Path) {
			s.ForceDelete(names.Path + "/" + member(object, "id"))
		}
	}
}

// httpsEdges is the path of the edges whose routes, in the member routes, are
// created by themselves.
const httpsEdges = "/edges/https"

func (s *Server) seed(object seedObject) error {
	if object.Path != httpsEdges {
		return s.seedOne(object)
	}
	values, err := body.ParseAnswer(object.Body)
	if err != nil {
		return err
	}
	routes, _ := values["routes"].([]any)
	id, _ := values["id"].(string)
	delete(values, "routes")
	if err := s.seedOne(seedObject{httpsEdges, body.Marshal(values)}); err != nil {
		return err
	}
	for i, route := range routes {
		if err := s.seedOne(seedObject{httpsEdges + "/" + id + "/routes", body.Marshal(route)}); err != nil {
			return fmt.Errorf("%s: %w", body.Element("routes", i), err)
		}
	}
	return nil
}

func (s *Server) seedOne(object seedObject) error {
	method := http.MethodPost
	if e, _, err := s.api.Routes.Find(object.Path); err == nil && e.IsModule() {
		method = http.MethodPut
	}
	r, err := http.NewRequest(method, object.Path, nil)
	if err != nil {
		return errors.New("invalid path")
	}
	r.Host = "localhost"
	c := s.api.NewDirectCall(r, r.URL.EscapedPath(), object.Body)
	c.Force, c.Answer = true, true
	_, err = s.api.Handle(c)
	refused, ok := errors.AsType[*problem.Problem](err)
	switch {
	case !ok:
		return err
	case refused.Field != "":
		return fmt.Errorf("member %s: %s", refused.Field, problem.Escape(refused.Message))
	}
	return errors.New(problem.Escape(refused.Message))
}

// SeedSSHCredentials creates n SSH credentials and returns their ids, oldest first. Each
// has a unique valid ed25519 public key without a known private key.
func (s *Server) SeedSSHCredentials(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		key := keys.PublicKeyFor(rand.Text())
		ids[i] = s.Create("/ssh_credentials", asJSON(map[string]any{"public_key": key, "description": fmt.Sprintf("seeded %d", i)}))
	}
	return ids
}
