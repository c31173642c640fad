package crud

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// heldObject returns an object of the state. looks counts who looked for it.
func heldObject(parent string, exists bool, looks *int) held {
	return held{name: "object in " + parent, parent: parent, exists: func(context.Context) (bool, error) {
		*looks++
		return exists, nil
	}}
}

func TestAccount_isTheRightOne(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		known          []string // parents of objects that are planned or read before, "+" if they exist
		gone           []string // parents of objects that are gone
		found, skipped bool
		wrong          int // number of the loss from which on the account is the wrong one; 0 for never
		looks          int
	}{
		"one is gone":                          {gone: []string{"a"}},
		"two are gone":                         {gone: []string{"a", "b"}},
		"three are gone":                       {gone: []string{"a", "b", "c", "d"}, wrong: 3},
		"three are gone, and the user says so": {gone: []string{"a", "b", "c"}, known: []string{"d"}, skipped: true},
		"three are gone, and one exists":       {gone: []string{"a", "b", "c"}, known: []string{"d"}, found: true},
		"two are gone, and what is in them":    {gone: []string{"a", "a", "b", "a", "b"}},
		"three are gone, and what is in them":  {gone: []string{"a", "a", "b", "c", "c"}, wrong: 4},
		"one is gone, two others too":          {gone: []string{"a"}, known: []string{"b", "c"}, wrong: 1, looks: 2},
		"one is gone, another one too":         {gone: []string{"a"}, known: []string{"b"}, looks: 1},
		"one is gone, another one exists":      {gone: []string{"a", "b", "c"}, known: []string{"d+", "e"}, looks: 1},
		"one is gone, its sibling exists":      {gone: []string{"a"}, known: []string{"a+"}, looks: 0},
		"one is gone, of many":                 {gone: []string{"a"}, known: []string{"b", "b", "c", "d", "e+"}, looks: 4},
		"three are gone, of many":              {gone: []string{"a", "b", "c"}, known: []string{"a", "b", "c", "d+"}, looks: 3},
		"one is gone, all others too":          {gone: []string{"a"}, known: strings.Split("bcdefghijklmnop", ""), wrong: 1, looks: 10},
	} {
		a, looks := &account{skipped: test.skipped}, 0
		a.found.Store(test.found)
		for _, known := range test.known {
			if strange := a.plan(t.Context(), heldObject(known[:1], len(known) > 1, &looks)); strange != nil {
				t.Errorf("%s: nothing is gone yet: %+v", name, strange)
			}
		}
		for i, gone := range test.gone {
			strange := a.lose(t.Context(), heldObject(gone, false, &looks))
			if wrong := test.wrong > 0 && i+1 >= test.wrong; (strange != nil) != wrong || wrong && strange.first != (i+1 == test.wrong) {
				t.Errorf("%s: loss %d: %+v", name, i+1, strange)
			}
		}
		if looks != test.looks {
			t.Errorf("%s: %d objects were looked for, want %d", name, looks, test.looks)
		}
	}
}

// With -minimal-refresh, the object that changes can be the first that Terraform plans.
func TestAccount_plansAfterALoss(t *testing.T) {
	t.Parallel()
	for _, exists := range []bool{false, true} {
		a, looks := &account{}, 0
		if strange := a.lose(t.Context(), heldObject("a", false, &looks)); strange != nil {
			t.Errorf("the first: %+v", strange)
		}
		for i, other := range []string{"b", "c", "d"} {
			if strange := a.plan(t.Context(), heldObject(other, exists, &looks)); (strange != nil) != (!exists && i > 0) {
				t.Errorf("exists: %t, plan of %s: %+v", exists, other, strange)
			}
		}
		if want := map[bool]int{true: 1, false: 2}[exists]; looks != want {
			t.Errorf("exists: %t, %d objects were looked for, want %d", exists, looks, want)
		}
	}
}

// An object that cannot be looked for says nothing.
func TestAccount_lookFails(t *testing.T) {
	t.Parallel()
	a := &account{}
	for _, parent := range []string{"a", "b", "c"} {
		a.meet(held{parent: parent, exists: func(context.Context) (bool, error) { return false, errors.New("no") }})
	}
	if strange := a.lose(t.Context(), held{parent: "d"}); strange != nil || a.found.Load() {
		t.Errorf("got %+v", strange)
	}
}

func TestAccount_manyAtOnce(t *testing.T) {
	t.Parallel()
	a, all := &account{}, sync.WaitGroup{}
	for i := range 50 {
		all.Go(func() {
			object := held{parent: fmt.Sprint(i), exists: func(context.Context) (bool, error) { return i == 7, nil }}
			a.meet(object)
			if i == 7 {
				a.found.Store(true)
			} else {
				a.lose(t.Context(), object)
			}
		})
	}
	all.Wait()
	if strange := a.lose(t.Context(), held{parent: "last"}); strange != nil || a.asks("other") {
		t.Errorf("an object exists: %+v", strange)
	}
}
