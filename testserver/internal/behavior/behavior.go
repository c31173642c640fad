// Package behavior is how else a service may act: failures, limits, choices where the
// API documentation is silent, and values that the service changes. It has one list of
// names, and rules that say which requests meet which of them. It stands in front of
// engine as a hook, and uses store, body, keys and problem. Kinds of objects must stay
// out: a rule names a route, and values are known by the names of fields and schemas, so
// that a new kind behaves differently too.
package behavior

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Behavior is one way in which a service may act that differs from the default.
type Behavior struct {
	Name  string `json:"name"`
	Group string `json:"group"`
	Value string `json:"value,omitempty"` // what can follow the name, such as =DURATION; in brackets if it is optional
	Says  string `json:"says"`            // one sentence
}

// groups are all behaviors.
var groups = []struct {
	name string
	all  []definition
}{{"failures", failures}, {"limits", limitations}, {"choices", choices}, {"values", values}, {"traffic", assumptions}}

// All returns all behaviors, or those of some groups: failures, limits, choices, values,
// traffic.
func All(of ...string) (all []Behavior) {
	for _, group := range groups {
		for _, d := range group.all {
			if len(of) == 0 || slices.Contains(of, group.name) {
				all = append(all, Behavior{d.name, group.name, d.value.shown, d.says})
			}
		}
	}
	return all
}

// seed is the word of a reproducible choice: seed=N.
const seed = "seed"

// find returns the definition of a text such as 503 or delay=200ms, and its value.
func find(text string) (d *definition, given argument, err error) {
	name, value, hasValue := strings.Cut(text, "=")
	var names []string
	for _, group := range groups {
		for _, one := range group.all {
			if names = append(names, one.name); one.name == name {
				d, one.traffic = &one, group.name == "traffic"
			}
		}
	}
	if d == nil {
		return nil, given, fmt.Errorf("unknown behavior %s%s: expected seed=N, or one of %s",
			problem.Printable(name), problem.Nearest(name, names), strings.Join(names, ", "))
	}
	if !hasValue && (d.value.shown == "" || d.value.optional) {
		return d, given, nil
	}
	if d.value.parse != nil && hasValue {
		if given, ok := d.value.parse(value); ok {
			return d, given, nil
		}
	}
	return nil, given, fmt.Errorf("behavior %s: expected %[1]s%s%s; found %s", name, d.value.shown, d.value.example, problem.Printable(text))
}

// argument is the value of a behavior.
type argument struct {
	delay  time.Duration
	spread time.Duration // of a random delay
	number int
	text   string
}

// value is the form of the value of a behavior.
type value struct {
	shown, example string
	optional       bool
	parse          func(text string) (argument, bool)
}

// maxDelay is the longest delay: nothing ends what waits.
const maxDelay = 24 * time.Hour

func numberFrom(least, most int) value {
	return value{shown: "=NUMBER", example: fmt.Sprintf(" from %d to %d", least, most), parse: func(text string) (argument, bool) {
		n, err := strconv.Atoi(text)
		return argument{number: n}, err == nil && n >= least && n <= most
	}}
}

// The forms of values.
var (
	duration = value{shown: "=DURATION", example: " with a unit, at most 24h, such as =200ms", parse: func(text string) (argument, bool) {
		d, err := time.ParseDuration(text)
		return argument{delay: d}, err == nil && d > 0 && d <= maxDelay
	}}
	number     = numberFrom(1, 1_000_000)
	retryAfter = value{"[=RETRY_AFTER]", ", a number of seconds or none", true, func(text string) (argument, bool) {
		_, err := strconv.ParseUint(text, 10, 31)
		return argument{text: text}, err == nil || text == "none"
	}}
	delays = value{"=DURATION[-DURATION]", duration.example + " or =20ms-80ms", false, func(text string) (argument, bool) {
		first, last, two := strings.Cut(text, "-")
		least, ok := duration.parse(first)
		most, isTime := duration.parse(last)
		least.spread = max(0, most.delay-least.delay)
		return least, ok && (!two || isTime && most.delay >= least.delay)
	}}
	errorStatus = value{"=STATUS", " from 400 to 599, such as =409", false, numberFrom(400, 599).parse}
	status      = value{"[=STATUS]", " from 200 to 599 that allows a body", true, func(text string) (argument, bool) {
		n, err := strconv.Atoi(text)
		return argument{number: n}, err == nil && n >= 200 && n <= 599 && n != 204 && n != 304
	}}
	rate = value{"=NUMBER/DURATION", ", such as =120/60s", false, func(text string) (argument, bool) {
		count, length, _ := strings.Cut(text, "/")
		n, err := strconv.Atoi(count)
		period, periodErr := time.ParseDuration(length)
		return argument{number: n, delay: period}, err == nil && periodErr == nil && n > 0 && period > 0
	}}
)

// Named returns the rules of a text such as list_small_pages,delay=20ms or seed=7, which
// apply to all requests.
func Named(text string) []Rule {
	var rules []Rule
	for name := range strings.SplitSeq(text, ",") {
		rules = append(rules, Rule{Behavior: strings.TrimSpace(name)})
	}
	return rules
}

// drawn returns the choices that a seed makes, three of four. Those that vary apply to
// about half of the responses.
func drawn(text string) ([]Rule, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("behavior seed: expected seed=N with a number of 0 or more; found %s", problem.Printable(seed+"="+text))
	}
	var rules []Rule
	for _, d := range choices {
		hash := fnv.New64()
		_, _ = hash.Write([]byte(d.name)) // never fails
		if d.strict || rand.New(rand.NewPCG(n, hash.Sum64())).IntN(4) == 0 {
			continue
		}
		rule := Rule{Behavior: d.name, Seed: n}
		if d.varies {
			rule.Probability = 0.5
		}
		rules = append(rules, rule)
	}
	return rules, nil
}
