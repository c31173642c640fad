package testserver

import (
	"flag"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// TestContract_isValid checks openapi.yaml with its examples. The server only reads it,
// since this takes longer than its start.
func TestContract_isValid(t *testing.T) {
	t.Parallel()
	if err := document().Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestContract_hasTheServersOperations(t *testing.T) {
	t.Parallel()
	var documented, served []string
	for path, item := range document().Paths.Map() {
		for method := range item.Operations() {
			documented = append(documented, method+" "+path)
		}
	}
	for _, endpoint := range New().api.Routes {
		for method := range endpoint.Methods {
			served = append(served, method+" "+endpoint.Pattern)
		}
	}
	slices.Sort(documented)
	slices.Sort(served)
	equal(t, "operations", served, documented)
	if len(served) < 60 {
		t.Errorf("there are only %d operations", len(served))
	}
}

// violations collects the reports of the contract check.
type violations struct {
	mutex sync.Mutex
	texts []string
}

func (v *violations) add(err error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.texts = append(v.texts, err.Error())
}

func (v *violations) take() string {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	texts := strings.Join(v.texts, "\n")
	v.texts = nil
	return texts
}

// answerOf processes a call without the contract check.
func (s *Server) answerOf(c *engine.Call) *engine.Answer {
	check := s.api.Check
	defer func() { s.api.Check = check }()
	s.api.Check = nil
	return s.api.Process(c)
}

func TestContractCheck_findsBadAnswers(t *testing.T) {
	t.Parallel()
	found := &violations{}
	s := New(WithContractCheck(found.add))
	credential := s.Create("/ssh_credentials", asJSON(map[string]string{"public_key": keys.PublicKeyFor("a")}))
	path := "/ssh_credentials/" + credential
	const secret = "SECRETVALUE"
	set := func(name string, value any) func(*engine.Answer) {
		return func(a *engine.Answer) {
			body := decodeAnswer(a.Body)
			body[name] = value
			if value == nil {
				delete(body, name)
			}
			a.Body = []byte(asJSON(body))
		}
	}
	for name, test := range map[string]struct {
		method, path string
		breakIt      func(*engine.Answer)
		want         string // expected text in the report; empty means no report
	}{
		"as it is":              {"GET", path, func(*engine.Answer) {}, ""},
		"unknown field":         {"GET", path, set("x_new", 1), ""},
		"no id":                 {"GET", path, set("id", nil), "/: missing id"},
		"id is a number":        {"GET", path, set("id", 7), "/id: type"},
		"acl is a string":       {"GET", path, set("acl", secret), "/acl: type"},
		"relative uri":          {"GET", path, set("uri", "/"+secret), "/uri: pattern"},
		"no JSON":               {"GET", path, func(a *engine.Answer) { a.Body = []byte("<" + secret) }, "invalid JSON"},
		"no operation id":       {"GET", path, func(a *engine.Answer) { a.Header.Del("Tunnel-Operation-Id") }, "Tunnel-Operation-Id"},
		"undocumented status":   {"GET", path, func(a *engine.Answer) { a.Status = 418 }, "status is not supported"},
		"error without msg":     {"GET", "/ssh_credentials/none", set("msg", nil), "missing msg"},
		"error with details":    {"GET", "/ssh_credentials/none", set("details", map[string]any{"field": 1}), "/details/field: type"},
		"list without an array": {"GET", "/ssh_credentials", set("ssh_credentials", nil), "/: missing ssh_credentials"},
	} {
		t.Run(name, func(t *testing.T) {
			c := s.api.NewCall(request(t, s, test.method, test.path, ""))
			a := s.answerOf(c)
			test.breakIt(a)
			s.checkContract(c, a)
			got := found.take()
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("reported is %q, want %q", got, test.want)
			}
			if strings.Contains(got, secret) {
				t.Errorf("a value is in the report: %s", got)
			}
		})
	}
}

func TestContractCheck_findsBadRequests(t *testing.T) {
	t.Parallel()
	found := &violations{}
	plain, strict := Start(t, WithContractCheck(found.add)), Start(t, WithContractCheck(found.add), WithStrictRequests())
	const secret = "SECRETVALUE"
	key := "-----BEGIN PRIVATE KEY-----" + secret
	for name, test := range map[string]struct {
		method, path, body string
		change             func(*http.Request)
		want               string
	}{
		"unknown field": {"POST", "/ssh_credentials", `{"public_key":"ssh-ed25519 a","colour":"` + secret + `"}`, nil, "unknown field colour"},
		"missing field": {"POST", "/ssh_credentials", `{}`, nil, "body: /: missing public_key"},
		"wrong type":    {"POST", "/tls_certificates", asJSON(map[string]any{"certificate_pem": "-----BEGIN CERTIFICATE-----", "private_key_pem": []string{key}}), nil, "/private_key_pem: type"},
		"no key":        {"GET", "/ssh_credentials", "", func(r *http.Request) { r.Header.Set("Authorization", secret) }, "Authorization"},
		"no version":    {"GET", "/ssh_credentials", "", func(r *http.Request) { r.Header.Del("Service-Version") }, "parameter Service-Version"},
		"limit":         {"GET", "/ssh_credentials?limit=1000", "", nil, "parameter limit"},
		"no JSON":       {"POST", "/ssh_credentials", secret, nil, "invalid JSON"},
		"no field":      {"PATCH", "/ssh_credentials/a", `{}`, nil, "missing description"},
		"label with =":  {"POST", "/backends/tunnel_group", `{"labels":{"a=b":"c"}}`, nil, "body: /: pattern"},
		"timestamp":     {"POST", "/ssh_host_certificates", `{"ssh_certificate_authority_id":"a","public_key":"ssh-rsa a","valid_after":"now"}`, nil, "/valid_after: format"},
	} {
		change := test.change
		if change == nil {
			change = func(*http.Request) {}
		}
		send(t, plain, test.method, test.path, test.body, change)
		if got := found.take(); got != "" {
			t.Errorf("%s: a request that the server refuses is reported: %s", name, got)
		}
		send(t, strict, test.method, test.path, test.body, change)
		got := found.take()
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: reported is %q, want %q", name, got, test.want)
		}
		if strings.Contains(got, secret) {
			t.Errorf("%s: a value is in the report: %s", name, got)
		}
	}
}

func TestContractCheck_findsWrongSuccess(t *testing.T) {
	t.Parallel()
	found := &violations{}
	s := New(WithContractCheck(found.add))
	body := asJSON(map[string]any{"public_key": keys.PublicKeyFor("a")})
	c := s.api.NewCall(request(t, s, "POST", "/ssh_credentials", body))
	c.Body = []byte(body)
	a := s.answerOf(c)
	c.Body = []byte(strings.Replace(body, "}", `,"colour":"red"}`, 1))
	s.checkContract(c, a)
	if got := found.take(); !strings.Contains(got, "was accepted") || !strings.Contains(got, "colour") {
		t.Errorf("reported is %q", got)
	}
}

func TestContractCheck_readsRefusedRequests(t *testing.T) {
	t.Parallel()
	found := &violations{}
	s := Start(t, WithContractCheck(found.add), WithStrictRequests())
	send(t, s, "POST", "/backends/tunnel_group", `{"labels":{"a":"b"}}`, header("Authorization", "Bearer unknown"))
	if got := found.take(); got != "" {
		t.Errorf("reported is %q, although only the key is unknown", got)
	}
}

var update = flag.Bool("update", false, "rewrite openapi.yaml")

// documented is a collection in openapi.yaml. Its paths, its list schema and
// the parameter before_id follow from its names; the other schemas are written
// by hand.
type documented struct {
	engine.Kind
	tag   string // API or Parents
	inUse bool   // other objects can refer to an object, so that DELETE can return 409
}

// documentedCollections returns the collections with pages. What does not follow
// from a name is as openapi.yaml says; a new collection is one of the parents
// that can be in use.
func documentedCollections() []documented {
	var all []documented
	for _, names := range kinds.Collections() {
		k := documented{names, "Parents", true}
		if k.Prefix == "" || k.Field == "" {
			continue
		}
		if one := document().Paths.Value(k.Path + "/{id}"); one != nil {
			k.tag, k.inUse = one.Delete.Tags[0], one.Delete.Responses.Value("409") != nil
		}
		all = append(all, k)
	}
	return all
}

// TestContract_collections checks that the paths of all collections have the
// same form. With -update, it adds the paths of a new collection.
func TestContract_collections(t *testing.T) {
	text := string(OpenAPI)
	for _, k := range documentedCollections() {
		for _, part := range []struct{ first, end, begin, before string }{
			{"\n  /bot_users:\n", "\n  /event_destinations:\n", "\n  " + k.Path + ":\n", "\ncomponents:\n"},
			{"\n    BeforeIdBotUser:\n", "\n    BeforeIdEventDestination:\n", "\n    BeforeId" + k.name() + ":\n", "\n  responses:\n"},
			{"\n    BotUserList:\n", "\n    EventDestinationList:\n", "\n    " + k.name() + "List:\n", "\n    EventSource:\n"},
		} {
			want := k.likeBotUser(part.first, part.end)
			switch {
			case strings.Contains(text, want):
			case *update && !strings.Contains(text, part.begin):
				text = strings.Replace(text, part.before, "\n"+want+part.before[1:], 1)
			default:
				t.Errorf("openapi.yaml must contain this text; if it contains nothing of %s yet, run this test with -update:\n%s", k.Path, want)
			}
		}
	}
	if text != string(OpenAPI) {
		if err := os.WriteFile("openapi.yaml", []byte(text), 0o644); err != nil { //nolint:gosec // the contract is public
			t.Fatal(err)
		}
	}
}

func (k documented) nouns() string {
	if stem, found := strings.CutSuffix(k.Noun, "y"); found && !strings.HasSuffix(stem, "e") { // but API keys
		return stem + "ies"
	}
	if strings.HasSuffix(k.Noun, "s") {
		return k.Noun + "es"
	}
	return k.Noun + "s"
}

func (k documented) name() string { return inCapitals(k.Noun) }

// inCapitals returns a noun as the name of a schema, such as TLSCertificate.
func inCapitals(noun string) string {
	name := ""
	for word := range strings.FieldsSeq(noun) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

const conflict = "        \"409\": { $ref: \"#/components/responses/Conflict\" }\n"

// likeBotUser returns a part of what openapi.yaml says of bot users, with the names of
// another collection.
func (k documented) likeBotUser(begin, end string) string {
	_, text, _ := strings.Cut(string(OpenAPI), begin)
	text, _, _ = strings.Cut(text, end)
	text = begin[1:] + text + "\n"
	article := "a "
	if strings.ContainsRune("aAeioHS", rune(k.Noun[0])) {
		article = "an "
	}
	if !k.inUse {
		text = strings.Replace(text, conflict, "", 1)
	}
	return strings.NewReplacer("/bot_users", k.Path, "^bot_[", "^"+k.Prefix+"[", "[Parents]", "["+k.tag+"]", "bot_users", k.Field,
		"a bot user", article+k.Noun, "BotUsers", inCapitals(k.nouns()), "BotUser", k.name(), "bot users", k.nouns(), "bot user", k.Noun).Replace(text)
}
