package chaos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// honest is a service that keeps the contract, and decides otherwise where the
// contract is silent: its clocks differ, it rounds times, and it settles
// late. It stands in front of the test server.
type honest struct {
	w      *acctest.Env
	front  *httptest.Server
	traits honestTraits
	older  time.Duration // by which all objects were made older

	mu      sync.Mutex
	random  *rand.Rand
	created map[string]time.Time // by id
	users   map[string]time.Time // when the last user of an object was deleted or changed, by id of the object
}

// honestTraits are what a seed draws.
type honestTraits struct {
	Date    time.Duration // by which Date is ahead of the clock of created_at
	NoDate  bool
	Round   time.Duration // of created_at; a negative one is the same time for all
	Settles time.Duration // for which a deletion is refused after that of a user
}

func drawHonest(seed uint64) honestTraits {
	random := rand.New(rand.NewPCG(seed, 0))
	slow := 500 * time.Millisecond
	if *soak {
		slow = 2 * time.Second
	}
	draw := func(choices ...time.Duration) time.Duration { return choices[random.IntN(len(choices))] }
	return honestTraits{
		Date:    draw(0, 0, time.Second, 90*time.Second, 5*time.Minute, time.Hour, 26*time.Hour, -time.Second, -90*time.Second, -5*time.Minute, -time.Hour, -26*time.Hour),
		NoDate:  random.IntN(6) == 0,
		Round:   draw(0, 0, time.Second, time.Minute, time.Hour, 24*time.Hour, -1),
		Settles: draw(0, 0, 50*time.Millisecond, 300*time.Millisecond, slow),
	}
}

func startHonest(t *testing.T, seed uint64) *honest {
	t.Helper()
	h := &honest{w: acctest.Start(t), traits: drawHonest(seed), random: rand.New(rand.NewPCG(seed, 1)), created: map[string]time.Time{}, users: map[string]time.Time{}}
	h.front = httptest.NewServer(h)
	t.Cleanup(h.front.Close)
	return h
}

// age makes all objects older, so that the replicas agree on them.
func (h *honest) age(by time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.w.Age(by)
	h.older += by
	clear(h.created)
	clear(h.users)
}

func (h *honest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if status, text := h.refuses(r); status != 0 {
		h.send(w, status, nil, []byte(text))
		return
	}
	old := h.usedBy(r)
	request := httptest.NewRequest(r.Method, r.URL.RequestURI(), bytes.NewReader(body))
	request.Header = r.Header
	answer := httptest.NewRecorder()
	h.w.ServeHTTP(answer, request)
	h.remember(answer, old)
	h.send(w, answer.Code, answer.Header(), answer.Body.Bytes())
}

// knownID matches the ids of the test server.
var knownID = regexp.MustCompile(`\b(?:shcrt|sshca|sshcr|cert|bkdfo|bkdhr|bkdtg|edgtls|edgtcp|edghts|edghtsrt|esb|rd|ra)_[0-9A-Za-z]{27}\b`)

// refuses returns a refusal of a replica that still knows a user of the object to delete.
func (h *honest) refuses(r *http.Request) (status int, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	const form = `{"error_code":"ERR_TUNNEL_1","status_code":%d,"msg":%q,"details":{}}`
	if r.Method == http.MethodDelete {
		path := strings.Split(r.URL.Path, "/")
		if time.Since(h.users[path[len(path)-1]]) < h.traits.Settles {
			return http.StatusConflict, fmt.Sprintf(form, 409, "still in use")
		}
	}
	return 0, ""
}

// usedBy returns the objects that the object of a request refers to now.
func (h *honest) usedBy(r *http.Request) []string {
	if r.Method == http.MethodGet || r.Method == http.MethodPost {
		return nil
	}
	_, object := h.w.Do(http.MethodGet, r.URL.Path, "")
	text, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(knownID.FindAllString(string(text), -1), func(id string) bool { return strings.HasSuffix(r.URL.Path, "/"+id) })
}

// remember records what a request has changed.
func (h *honest) remember(answer *httptest.ResponseRecorder, old []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var object struct {
		ID string `json:"id"`
	}
	if answer.Code == http.StatusCreated && json.Unmarshal(answer.Body.Bytes(), &object) == nil {
		h.created[object.ID] = time.Now()
	}
	if answer.Code < 300 {
		for _, id := range old {
			h.users[id] = time.Now()
		}
	}
}

var createdAtText = regexp.MustCompile(`"created_at":"[^"]*"`)

// send sends a response in the notation of the service.
func (h *honest) send(w http.ResponseWriter, status int, header http.Header, body []byte) {
	maps.Copy(w.Header(), header)
	body = bytes.ReplaceAll(body, []byte(h.w.URL), []byte(h.front.URL))
	if h.traits.Round != 0 || h.traits.NoDate {
		body = createdAtText.ReplaceAllFunc(body, func(text []byte) []byte {
			at, err := time.Parse(`"created_at":"2006-01-02T15:04:05Z07:00"`, string(text))
			switch {
			case err != nil:
				return text
			case h.traits.Round < 0:
				at = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			case h.traits.NoDate: // the provider's clock counts, which the test cannot change
				at = at.Add(-h.older)
			}
			if h.traits.Round > 0 {
				at = at.Truncate(h.traits.Round)
			}
			return fmt.Appendf(nil, `"created_at":%q`, at.UTC().Format(time.RFC3339))
		})
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.Header().Set("Content-Type", "application/json")
	if h.traits.NoDate {
		w.Header()["Date"] = nil
	} else {
		w.Header().Set("Date", time.Now().Add(h.older+h.traits.Date).UTC().Format(http.TimeFormat))
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
