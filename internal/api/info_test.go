package api

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"
)

// Fields that are only informative never fail a read.
func TestInfo_acceptsAnyShape(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"null": `null`, "text": `"x"`, "number": `7`, "boolean": `true`, "object": `{"a":[1]}`, "list": `["a",1,null,{}]`, "objects": `[{"id":"a"},{"id":7},{},null]`, "empty": `""`,
	} {
		s := &routes{answers: map[string]http.HandlerFunc{
			"GET /tls_certificates/cert_1": body(200, `{"id":"cert_1","uri":`+value+`,"created_at":`+value+`,"key_usages":`+value+`,"extended_key_usages":`+value+
				`,"private_key_type":`+value+`,"subject_alternative_names":`+value+`}`),
			"GET /backends/tunnel_group/bkdtg_1": body(200, `{"id":"bkdtg_1","uri":`+value+`,"tunnels":`+value+`}`),
		}}
		client := serve(t, s.ServeHTTP)
		if certificate, err := TLSCertificates.Of(client).Read(t.Context(), "cert_1", time.Time{}); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if usages := fmt.Sprint(certificate.KeyUsages); name == "list" && usages != "[a 1]" {
			t.Errorf("%s: key usages are %s", name, usages)
		} else if name == "list" && (certificate.URI != "" || certificate.CreatedAt != "") {
			t.Errorf("%s: the URI is %s, and the creation time %s", name, certificate.URI, certificate.CreatedAt)
		}
		if group, err := GroupBackends.Of(client).Read(t.Context(), "bkdtg_1", time.Time{}); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if name == "objects" && (len(group.Tunnels) != 1 || group.Tunnels[0].ID != "a") {
			t.Errorf("%s: tunnels are %v", name, group.Tunnels)
		}
	}
}

func TestClient_comparesMembersWithCase(t *testing.T) {
	t.Parallel()
	const object = `{"id":"bkdfo_1","ID":"other","description":"right","Description":"wrong","backends":["a"],"Backends":["b"]}`
	s := &routes{answers: map[string]http.HandlerFunc{
		getBackend: body(200, object), listBackend: body(200, `{"backends":[`+object+`],"Backends":[],"Next_Page_URI":"?never"}`),
	}}
	client := serve(t, s.ServeHTTP)
	read, err := FailoverBackends.Of(client).Read(t.Context(), "bkdfo_1", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	objects := []*FailoverBackend{read}
	for listed, err := range FailoverBackends.Of(client).List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, listed)
	}
	if len(objects) != 2 {
		t.Errorf("%d objects, want 2", len(objects))
	}
	for _, object := range objects {
		if object.ID != "bkdfo_1" || object.Description != "right" || object.Backends[0] != "a" {
			t.Errorf("got %+v", object)
		}
	}
}

// A number is read by its value.
func TestNumber_inEveryNotation(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Number{"404": 404, "404.0": 404, "4.04e2": 404, "4040E-1": 404, "-1.0": -1, "0e99": 0, "null": 0} {
		backend, err := decode[HTTPResponseBackend]([]byte(`{"id":"x","status_code":` + text + `}`))
		if err != nil || backend.StatusCode != want {
			t.Errorf("%s: got %d, %v", text, backend.StatusCode, err)
		}
	}
	for text, want := range map[string]string{
		"404.5": "found a number 404.5", "1e30": "found a number 1e30", "1e999999999": "found a number 1e999999999",
		`"404"`: "found a string", "{}": "found an object", "[1]": "found a list", "true": "found a boolean",
	} {
		_, err := decode[HTTPResponseBackend]([]byte(`{"id":"x","status_code":` + text + `}`))
		contains(t, fmt.Sprint(err), "unexpected response: field status_code: expected an integer; "+want)
	}
}

// A wrong type is named as in the API documentation, and not as in Go.
func TestDecode_saysInWordsWhatIsWrong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"id":7}`:                     "unexpected response: field id: expected a string; found a number",
		`{"id":"x","backends":"x"}`:    "unexpected response: field backends: expected a list; found a string",
		`{"id":"x","backends":{}}`:     "unexpected response: field backends: expected a list; found an object",
		`{"id":"x","backends":[true]}`: "unexpected response: field backends: expected a string; found a boolean",
		`{"id":"x","description":[]}`:  "unexpected response: field description: expected a string; found a list",
		`[]`:                           "unexpected response: expected an object; found a list",
	} {
		if _, err := decode[FailoverBackend]([]byte(text)); fmt.Sprint(err) != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// An object that was created, but cannot be read, is named, so that it can be found.
func TestCreate_namesAnObjectThatItCannotRead(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, `{"id":"bkdhr_7","status_code":"404"}`)
	})
	_, err := HTTPResponseBackends.Of(client).Create(t.Context(), HTTPResponseBackendBody{})
	if !PossiblyProcessed(err) {
		t.Errorf("the outcome is known: %v", err)
	}
	contains(t, fmt.Sprint(err), "field status_code: expected an integer; found a string. The ID in the response is bkdhr_7")
}
