package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// answer is a response as a client sees it.
type answer struct {
	status int
	header http.Header
	raw    []byte
	body   map[string]any // nil if the body is not a JSON object
}

// field returns details.field of an error.
func (a answer) field() string {
	details, _ := a.body["details"].(map[string]any)
	return text(details["field"])
}

// member returns a member in JSON.
func member(members map[string]any, name string) string {
	value, there := members[name]
	if !there {
		return "absent"
	}
	return asJSON(value)
}

// maxAnswer is the maximum number of bytes of a response that are read.
const maxAnswer = 32 << 20

// maxFailures is the number of requests in a row without a response that ends a run.
const maxFailures = 3

// maxErrors is the number of responses in a row with a 5xx status that ends a run.
const maxErrors = 30

// exchange sends a request. After an interrupt, or several requests without a response,
// the run ends.
func (run *Run) exchange(v testCase) (got answer, err error) {
	if run.stopped == nil && run.ctx.Err() != nil {
		run.stopped = errors.New("the run was interrupted")
	}
	if run.stopped != nil {
		return got, run.stopped
	}
	run.Requests++
	run.Current = v.result(Agrees)
	r, _, err := run.request(v)
	if err != nil {
		return got, err
	}
	response, err := run.config.Transport.RoundTrip(r)
	if failed := err != nil || response.StatusCode >= http.StatusInternalServerError; failed && v.method == http.MethodPost &&
		v.status < http.StatusBadRequest {
		run.Unclear++
	}
	if err == nil {
		defer response.Body.Close()
		got.status, got.header = response.StatusCode, response.Header
		got.raw, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	}
	if err != nil {
		err = fmt.Errorf("%s %s: %w", v.method, v.route, err)
		if run.failures++; run.failures >= maxFailures {
			run.stopped = fmt.Errorf("no response to %d requests in a row: %w", maxFailures, err)
		}
		return got, err
	}
	run.failures = 0
	if run.errors++; got.status < http.StatusInternalServerError || got.status == http.StatusNotImplemented {
		run.errors = 0
	} else if run.errors >= maxErrors {
		run.stopped = fmt.Errorf("the service fails: %d responses in a row with an error like status %d", maxErrors, got.status)
	}
	_ = json.Unmarshal(got.raw, &got.body) // not every body is an object
	run.observe(v, got)
	return got, nil
}

func (run *Run) request(v testCase) (r *http.Request, text string, err error) {
	text, isText := v.body.(string)
	if v.body != nil && !isText {
		text = asJSON(v.body)
	}
	ctx := run.ctx
	if v.method != http.MethodGet {
		ctx = context.WithoutCancel(ctx) // the outcome of a write must be known
	}
	r, err = http.NewRequestWithContext(ctx, v.method, run.config.Base+v.path, strings.NewReader(text))
	if err != nil {
		return nil, "", err
	}
	r.GetBody = nil // a request must not be sent twice without being counted
	r.Header.Set("Authorization", "Bearer "+run.config.Key)
	r.Header.Set("Service-Version", "2")
	if text != "" {
		r.Header.Set("Content-Type", mediaType)
	}
	if v.change != nil {
		v.change(r)
	}
	return r, text, nil
}

// send sends a variant and checks the response.
func (run *Run) send(v testCase) {
	lack, why := run.lack, run.unsafe(v)
	run.lack = nil
	switch {
	case run.stopped != nil:
		return // All reports the operation
	case lack != nil:
		run.notTried(v, true, lack.Error())
		return
	case why != "" && !run.config.Throwaway:
		run.notTried(v, false, why)
		return
	}
	var all []difference
	var err error
	if v.method == http.MethodDelete && run.ids[v.path] > 0 && !slices.Contains(run.made, v.path) { // was deleted
		v.path, err = run.Path(v.route)
	}
	if err == nil {
		all, _, err = run.attempt(v)
	}
	run.judged(v, all, err)
}

// attempt sends a variant, and deletes what it has made.
func (run *Run) attempt(v testCase) (all []difference, got answer, err error) {
	var before answer
	if v.kept != "" {
		if before, err = run.exchange(testCase{method: http.MethodGet, path: v.path, route: v.route}); err != nil {
			return nil, got, err
		}
	}
	if got, err = run.exchange(v); err != nil {
		return nil, got, err
	}
	if v.method == http.MethodPost && got.status == http.StatusForbidden && len(run.ids) == 0 &&
		v.status != http.StatusUnauthorized && v.status != http.StatusForbidden {
		run.stopped = fmt.Errorf("the service refuses to create an object (POST %s: 403 Forbidden): the API key may be read-only. "+
			"Use another key, or -only with a kind that this one can create", v.route)
		return nil, got, run.stopped
	}
	all, made := run.check(v, got, before.body), run.created(v, got)
	effect, err := run.effect(v, got, made)
	if len(all) > 0 {
		err = nil // what is known counts
	}
	if made != "" {
		run.discard(made)
	} else if v.method == http.MethodDelete {
		run.deleted(v.path, got.status)
	}
	return slices.Concat(all, effect), got, err
}

// unsafe says why a variant could touch or leave an object that does not belong to
// the run, if the service does not behave as documented.
func (run *Run) unsafe(v testCase) string {
	isRoot := !strings.Contains(v.route, "{")
	changes := v.method == http.MethodPut || v.method == http.MethodPatch || v.method == http.MethodDelete
	switch {
	case changes && (isRoot || strings.Contains(v.path, "..")):
		return "a service that supports it could change objects of others"
	case v.method != http.MethodPost || !isRoot || v.input == nil:
		return ""
	}
	text, isText := v.body.(string)
	if members, ok := v.body.(map[string]any); ok {
		text = fmt.Sprint(members["description"], members["metadata"], members["name"])
	}
	if strings.Contains(text, run.config.Mark) || isText && len(v.input.Required) > 0 {
		return ""
	}
	return "a service that accepts it would make an object without the mark"
}
