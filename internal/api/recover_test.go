package api

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// at returns a client for a test server, which does not wait long.
func at(t *testing.T, address, key string, change ...func(*Config)) *Client {
	t.Helper()
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	config := Config{BaseURL: base, APIKey: key, UserAgent: "test/1", MaxRetries: 4, RequestTimeout: 2 * time.Second}
	for _, c := range change {
		c(&config)
	}
	client := New(config)
	client.retry.RetryWaitMin, client.retry.RetryWaitMax = time.Millisecond, 20*time.Millisecond
	client.looks = []time.Duration{0, 30 * time.Millisecond, 60 * time.Millisecond}
	return client
}

func publicKey(t *testing.T) string {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))) + " me@example"
}

func certificate(t *testing.T) (chain, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: "a.example"},
		NotBefore: time.Now(), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

// creations make one object of each collection, always the same one. They return
// the id, and the list that it is in.
func creations(t *testing.T, s *testserver.Server) map[string]func(context.Context, *Client) (id string, err error) {
	t.Helper()
	chain, key := certificate(t)
	child := s.CreateOtherBackend()
	details := Details{Description: "made by a test", Metadata: "{}"}
	credential := SSHCredentialCreate{Details: details, PublicKey: publicKey(t), ACL: []string{"bind:b.example", "bind:a.example"}}
	host := SSHHostCertificateCreate{
		Details: details, PublicKey: publicKey(t), SSHCertificateAuthorityID: s.Parents.SSHCertificateAuthority,
		Principals: []string{"b.example", "a.example"}, ValidUntil: "2040-01-01T01:00:00+01:00",
	}
	return map[string]func(context.Context, *Client) (string, error){
		"/tls_certificates": func(ctx context.Context, c *Client) (string, error) {
			o, err := c.TLSCertificates().Create(ctx, TLSCertificateCreate{details, chain + "\n", key})
			return idOf(o, err, c.TLSCertificates().id)
		},
		"/ssh_credentials": func(ctx context.Context, c *Client) (string, error) {
			o, err := c.SSHCredentials().Create(ctx, credential)
			return idOf(o, err, c.SSHCredentials().id)
		},
		"/ssh_host_certificates": func(ctx context.Context, c *Client) (string, error) {
			o, err := c.SSHHostCertificates().Create(ctx, host)
			return idOf(o, err, c.SSHHostCertificates().id)
		},
		"/backends/failover": func(ctx context.Context, c *Client) (string, error) {
			o, err := c.FailoverBackends().Create(ctx, FailoverBackendCreate{details, []string{child}})
			return idOf(o, err, c.FailoverBackends().id)
		},
		"/backends/tunnel_group": func(ctx context.Context, c *Client) (string, error) {
			o, err := c.GroupBackends().Create(ctx, GroupBackendCreate{details, map[string]string{"app": "web", "env": "prod"}})
			return idOf(o, err, c.GroupBackends().id)
		},
		"/event_subscriptions/" + s.Parents.EventSubscription + "/sources": func(ctx context.Context, c *Client) (string, error) {
			sources := c.EventSources(s.Parents.EventSubscription)
			o, err := sources.Create(ctx, EventSourceCreate{Type: "domain_created.v0"})
			return idOf(o, err, sources.id)
		},
	}
}

func idOf[T any](object *T, err error, id func(*T) string) (string, error) {
	if err != nil {
		return "", err
	}
	return id(object), nil
}

// ids are those that the service holds in a list.
func ids(s *testserver.Server, list string) []string {
	var found []string
	for _, object := range s.List(list) {
		id, ok := object["id"].(string)
		if !ok {
			id, _ = object["type"].(string)
		}
		found = append(found, id)
	}
	return found
}

func posts(s *testserver.Server) int {
	n := 0
	for name, count := range s.Stats().Requests {
		if strings.HasPrefix(name, "POST ") {
			n += count
		}
	}
	return n
}

func TestWhatALostAnswerMadeIsFound(t *testing.T) {
	t.Parallel()
	for _, kind := range []testserver.FaultKind{
		testserver.Fault500After, testserver.Fault502After, testserver.Fault503After, testserver.Fault504After, testserver.FaultResetAfter,
		testserver.FaultResetDuring, testserver.FaultTruncate, testserver.FaultHTML, testserver.FaultEmpty, testserver.FaultEndless,
	} {
		for _, quirks := range []bool{false, true} {
			t.Run(fmt.Sprint(kind, " quirks=", quirks), func(t *testing.T) {
				t.Parallel()
				s := testserver.Start(t)
				if quirks {
					s.SetQuirks(7)
				}
				for list, create := range creations(t, s) {
					before := len(s.List(list))
					s.ResetStats()
					s.SetFaults(testserver.Fault{Method: http.MethodPost, Kind: kind, Count: 1})
					id, err := create(t.Context(), at(t, s.URL, s.AdminKey))
					if err != nil {
						t.Errorf("%s: %v", list, err)
						continue
					}
					if now := ids(s, list); len(now) != before+1 || !strings.Contains(strings.Join(now, " "), id) || posts(s) != 1 {
						t.Errorf("%s: the service has %v, found was %s, after %d POSTs", list, now, id, posts(s))
					}
				}
			})
		}
	}
}

func TestWhatSurelyIsNotThereIsCreatedAgain(t *testing.T) {
	t.Parallel()
	for _, kind := range []testserver.FaultKind{
		testserver.Fault429, testserver.Fault500, testserver.Fault502, testserver.Fault503, testserver.Fault504, testserver.FaultResetBefore,
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := testserver.Start(t)
			for list, create := range creations(t, s) {
				before := len(s.List(list))
				s.ResetStats()
				s.SetFaults(testserver.Fault{Method: http.MethodPost, Kind: kind, Count: 2})
				if _, err := create(t.Context(), at(t, s.URL, s.AdminKey)); err != nil {
					t.Errorf("%s: %v", list, err)
				}
				if now := len(s.List(list)); now != before+1 || posts(s) != 3 {
					t.Errorf("%s: %d objects after %d POSTs, want %d after 3", list, now, posts(s), before+1)
				}
			}
		})
	}
}

func TestARequestThatIsProcessedLateMakesNoSecondObject(t *testing.T) {
	t.Parallel()
	for _, delay := range []time.Duration{20 * time.Millisecond, 150 * time.Millisecond} {
		t.Run(delay.String(), func(t *testing.T) {
			t.Parallel()
			s := testserver.Start(t)
			for list, create := range creations(t, s) {
				before := len(s.List(list))
				s.SetFaults(
					testserver.Fault{Method: http.MethodPost, Kind: testserver.FaultResetDuring, Delay: delay, Count: 1},
					// The second is under way while the first is processed.
					testserver.Fault{Method: http.MethodPost, Kind: testserver.FaultDelay, Delay: 100 * time.Millisecond},
				)
				id, err := create(t.Context(), at(t, s.URL, s.AdminKey))
				if now := ids(s, list); err != nil || len(now) != before+1 || !strings.Contains(strings.Join(now, " "), id) {
					t.Errorf("%s: %s, %v; the service has %v", list, id, err, now)
				}
			}
		})
	}
}

func TestAListThatLagsBehindMakesNoSecondObject(t *testing.T) {
	t.Parallel()
	for _, lag := range []time.Duration{50 * time.Millisecond, 160 * time.Millisecond} {
		t.Run(lag.String(), func(t *testing.T) {
			t.Parallel()
			s := testserver.Start(t)
			for list, create := range creations(t, s) {
				before := len(s.List(list))
				s.SetFaults(
					testserver.Fault{Method: http.MethodPost, Kind: testserver.FaultResetAfter, Count: 1},
					testserver.Fault{Method: http.MethodGet, Kind: testserver.FaultStaleList, Delay: lag},
				)
				client := at(t, s.URL, s.AdminKey)
				client.looks = append(client.looks, 200*time.Millisecond)
				if lag > 100*time.Millisecond { // the list shows what the first made only after the second POST
					client.looks = []time.Duration{0, 30 * time.Millisecond, 250 * time.Millisecond}
				}
				id, err := create(t.Context(), client)
				if now := ids(s, list); err != nil || len(now) != before+1 || !strings.Contains(strings.Join(now, " "), id) {
					t.Errorf("%s: %s, %v; the service has %v", list, id, err, now)
				}
			}
		})
	}
}

func TestIdenticalCreationsNeverShareAnObject(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	s.SetFaults(testserver.Fault{Method: http.MethodPost, Kind: testserver.FaultResetAfter, Probability: 0.5, Seed: 3})
	client := at(t, s.URL, s.AdminKey)
	const n = 12
	var mu sync.Mutex
	made := map[string]bool{}
	var group sync.WaitGroup
	for range n {
		group.Go(func() {
			object, err := client.GroupBackends().Create(t.Context(), GroupBackendCreate{Labels: map[string]string{"app": "web"}})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			made[object.ID] = true
			mu.Unlock()
		})
	}
	group.Wait()
	if now := len(s.List("/backends/tunnel_group")); len(made) != n || now != n {
		t.Errorf("%d creations have %d objects, the service has %d", n, len(made), now)
	}
}

func TestAnOlderTwinIsNotAdopted(t *testing.T) {
	t.Parallel()
	// The service's clock is hours away from the local one.
	ahead := 7 * time.Hour
	s := testserver.Start(t, testserver.WithClock(func() time.Time { return time.Now().Add(ahead) }))
	older := s.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
	time.Sleep(2100 * time.Millisecond)
	for _, kind := range []testserver.FaultKind{testserver.FaultResetBefore, testserver.FaultResetAfter} {
		s.SetFaults(testserver.Fault{Method: http.MethodPost, Kind: kind, Count: 1})
		object, err := at(t, s.URL, s.AdminKey).GroupBackends().Create(t.Context(), GroupBackendCreate{Labels: map[string]string{"app": "web"}})
		if err != nil {
			t.Fatal(err)
		}
		if object.ID == older {
			t.Errorf("%s: an object was adopted that was there before", kind)
		}
		s.Delete("/backends/tunnel_group/" + object.ID)
		time.Sleep(1100 * time.Millisecond)
	}
}

func TestOtherContentIsNotAdopted(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && posts(s) == 0 {
			for _, other := range []string{
				`{"labels":{"app":"api"}}`, `{"labels":{"app":"web","env":"prod"}}`, `{"labels":{"app":"web"},"description":"x"}`, `{"labels":{"app":"web"},"metadata":"x"}`,
			} {
				s.Create("/backends/tunnel_group", other)
			}
			s.SetFaults(testserver.Fault{Method: http.MethodPost, Kind: testserver.FaultResetBefore, Count: 1})
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	object, err := at(t, proxy.URL, s.AdminKey).GroupBackends().Create(t.Context(), GroupBackendCreate{Labels: map[string]string{"app": "web"}})
	if err != nil || len(object.Labels) != 1 || object.Labels["app"] != "web" || object.Description != "" || posts(s) != 2 {
		t.Errorf("got %+v, %v after %d POSTs", object, err, posts(s))
	}
}

func TestSeveralCandidatesAreADoubt(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			s.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
			s.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
			hangUp(w)
			return
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	_, err := at(t, proxy.URL, s.AdminKey).GroupBackends().Create(t.Context(), GroupBackendCreate{Labels: map[string]string{"app": "web"}})
	doubt, ok := errors.AsType[*Doubt](err)
	if now := ids(s, "/backends/tunnel_group"); !ok || len(doubt.IDs) != 2 || len(now) != 2 {
		t.Fatalf("got %v, the service has %v", err, now)
	}
	for _, id := range ids(s, "/backends/tunnel_group") {
		if !strings.Contains(err.Error(), id) {
			t.Errorf("%v does not name %s", err, id)
		}
	}
}

func TestWithoutAClockACandidateIsADoubt(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(dateless{w}, r)
	}))
	t.Cleanup(proxy.Close)
	s.SetFaults(testserver.Fault{Method: http.MethodPost, Kind: testserver.Fault502After, Count: 1})
	_, err := at(t, proxy.URL, s.AdminKey).GroupBackends().Create(t.Context(), GroupBackendCreate{Labels: map[string]string{"app": "web"}})
	if doubt, ok := errors.AsType[*Doubt](err); !ok || len(doubt.IDs) != 1 {
		t.Errorf("got %v", err)
	}
}

// dateless takes the Date from an answer.
type dateless struct{ http.ResponseWriter }

func (d dateless) WriteHeader(status int) {
	d.Header()["Date"] = nil
	d.ResponseWriter.WriteHeader(status)
}

func TestAListThatCannotBeReadIsADoubt(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	for name, test := range map[string]struct {
		fault testserver.Fault
		reads int
	}{
		"for now":  {testserver.Fault{Method: http.MethodGet, Kind: testserver.FaultHTML}, failedLooks * 5},
		"for good": {testserver.Fault{Method: http.MethodGet, Kind: testserver.FaultHTML, Status: 403}, 1},
	} {
		s.ResetStats()
		s.SetFaults(test.fault, testserver.Fault{Method: http.MethodPost, Kind: testserver.FaultResetAfter})
		_, err := at(t, s.URL, s.AdminKey).GroupBackends().Create(t.Context(), GroupBackendCreate{Labels: map[string]string{"app": "web"}})
		doubt, ok := errors.AsType[*Doubt](err)
		if !ok || len(doubt.IDs) != 0 || doubt.Look == nil || posts(s) != 1 {
			t.Errorf("%s: got %v after %d POSTs", name, err, posts(s))
		}
		if reads := s.Stats().Total - 1; reads != test.reads {
			t.Errorf("%s: looked %d times, want %d", name, reads, test.reads)
		}
	}
}

func TestRetriesTurnedOffRepeatNoCreation(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	s.SetFaults(testserver.Fault{Method: http.MethodPost, Kind: testserver.Fault503})
	client := at(t, s.URL, s.AdminKey, func(c *Config) { c.MaxRetries = 0 })
	_, err := client.GroupBackends().Create(t.Context(), GroupBackendCreate{Labels: map[string]string{"app": "web"}})
	if _, doubtful := errors.AsType[*Doubt](err); err == nil || doubtful || posts(s) != 1 {
		t.Errorf("got %v after %d POSTs", err, posts(s))
	}
}

func TestTheDoubtOfAnEarlierRunIsSettledByTheNext(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	for list, create := range creations(t, s) {
		before := len(s.List(list))
		dir := t.TempDir()
		journal := func(c *Config) { c.Journal = dir }
		s.SetFaults(
			testserver.Fault{Method: http.MethodPost, Kind: testserver.FaultResetAfter},
			testserver.Fault{Method: http.MethodGet, Kind: testserver.FaultHTML, Status: 403},
		)
		if _, err := create(t.Context(), at(t, s.URL, s.AdminKey, journal)); err == nil {
			t.Errorf("%s: no error", list)
		}
		s.SetFaults()
		for run := range 2 {
			if strings.HasSuffix(list, "credentials") || strings.HasSuffix(list, "sources") {
				if run > 0 {
					break // there cannot be two of the same
				}
			}
			if _, err := create(t.Context(), at(t, s.URL, s.AdminKey, journal)); err != nil {
				t.Errorf("%s: %v", list, err)
			}
			if now := len(s.List(list)); now != before+1+run {
				t.Errorf("%s: %d objects after run %d, want %d", list, now, run, before+1+run)
			}
		}
	}
}

func TestCancelWaitsForAnAnswerThatIsNear(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	for list, create := range creations(t, s) {
		s.SetFaults(testserver.Fault{Method: http.MethodPost, Kind: testserver.FaultDelay, Delay: 300 * time.Millisecond})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		id, err := create(ctx, at(t, s.URL, s.AdminKey))
		if err != nil || !strings.Contains(strings.Join(ids(s, list), " "), id) {
			t.Errorf("%s: %s, %v", list, id, err)
		}
	}
}

func TestCancelledCreationEndsWithinASecondAndLosesNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault testserver.Fault
		found bool
		doubt bool
	}{
		"processed, the answer late": {testserver.Fault{Kind: testserver.FaultEndless, Delay: 50 * time.Millisecond}, true, false},
		"never processed":            {testserver.Fault{Kind: testserver.FaultResetBefore, Delay: 5 * time.Second}, false, true},
		"limited":                    {testserver.Fault{Kind: testserver.Fault429, RetryAfter: "30"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testserver.Start(t)
			test.fault.Method = http.MethodPost
			s.SetFaults(test.fault)
			client := at(t, s.URL, s.AdminKey)
			ctx, cancel := context.WithCancel(t.Context())
			var cancelled time.Time
			time.AfterFunc(100*time.Millisecond, func() {
				cancelled = time.Now()
				cancel()
			})
			object, err := client.GroupBackends().Create(ctx, GroupBackendCreate{Labels: map[string]string{"app": "web"}})
			if took := time.Since(cancelled); took > time.Second {
				t.Errorf("took %s", took)
			}
			_, doubt := errors.AsType[*Doubt](err)
			if (object != nil) != test.found || doubt != test.doubt {
				t.Errorf("got %v, %v", object, err)
			}
		})
	}
}

func TestAShort404AfterCreationIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	s.SetFaults(testserver.Fault{Kind: testserver.FaultNotFoundAfterCreate, Delay: 600 * time.Millisecond})
	client := at(t, s.URL, s.AdminKey)
	object, err := client.GroupBackends().Create(t.Context(), GroupBackendCreate{Labels: map[string]string{"app": "web"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.GroupBackends().Get(t.Context(), object.ID); err != nil {
		t.Error(err)
	}
	other := s.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
	if _, err := client.GroupBackends().Get(t.Context(), other); !IsGone(err) {
		t.Errorf("an object of somebody else: %v", err)
	}
	begun := time.Now()
	if err := client.GroupBackends().Delete(t.Context(), object.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := client.GroupBackends().Get(t.Context(), object.ID); !IsGone(err) || time.Since(begun) > time.Second {
		t.Errorf("after its deletion: %v after %s", err, time.Since(begun))
	}
}

func TestOnlyA204SaysThatSomethingIsDeleted(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	client := at(t, s.URL, s.AdminKey)
	for _, kind := range []testserver.FaultKind{testserver.FaultHTML, testserver.FaultEmpty} {
		for _, before := range []bool{true, false} {
			id := s.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
			edge := s.Parents.TLSEdge
			s.Put("/edges/tls/"+edge+"/policy", `{"enabled":true}`)
			s.SetFaults(testserver.Fault{Method: http.MethodDelete, Kind: kind, Before: before, Status: 200})
			if err := client.GroupBackends().Delete(t.Context(), id); (err == nil) != !s.Exists("/backends/tunnel_group/"+id) {
				t.Errorf("%s before=%v: a collection's object: %v", kind, before, err)
			}
			if err := client.TLSEdgePolicy(edge).Delete(t.Context()); (err == nil) != !s.Exists("/edges/tls/"+edge+"/policy") {
				t.Errorf("%s before=%v: a module: %v", kind, before, err)
			}
		}
	}
}

func TestAModuleIsSetAgainUntilTheAnswerSaysThatItIs(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	policy := at(t, s.URL, s.AdminKey).TLSEdgePolicy(s.Parents.TLSEdge)
	for _, kind := range []testserver.FaultKind{
		testserver.Fault500, testserver.Fault500After, testserver.Fault503After, testserver.FaultResetAfter, testserver.FaultHTML, testserver.FaultEmpty, testserver.FaultTruncate,
	} {
		s.SetFaults(testserver.Fault{Method: http.MethodPut, Kind: kind, Count: 3})
		if _, err := policy.Put(t.Context(), EdgePolicy{Inbound: []EndpointRule{}}); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		s.SetFaults(testserver.Fault{Method: http.MethodPut, Kind: kind})
		if _, err := policy.Put(t.Context(), EdgePolicy{}); !doubtful(err) {
			t.Errorf("%s for good: %v", kind, err)
		}
	}
}

func doubtful(err error) bool {
	_, ok := errors.AsType[*Doubt](err)
	return ok
}

func TestNothingIsSentOnceTheCallerHasGivenUp(t *testing.T) {
	t.Parallel()
	s := testserver.Start(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for list, create := range creations(t, s) {
		if _, err := create(ctx, at(t, s.URL, s.AdminKey)); err == nil || doubtful(err) {
			t.Errorf("%s: %v", list, err)
		}
	}
	if n := s.Stats().Total; n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}
