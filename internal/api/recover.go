package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	// briefly is what a creation whose time is over may still take to see what
	// became of it.
	briefly = 350 * time.Millisecond
	// failedLooks is how many looks in a row may fail, with all their retries,
	// before the creation is in doubt.
	failedLooks = 4
)

// looks are the waits before each look for the object of a lost answer. When
// none has found it, it is surely not there. They leave a request time that the
// service was still busy with, and a list that lags behind.
var looks = []time.Duration{0, time.Second, 2 * time.Second}

// A creation is an object on its way into being, by a POST that may get lost.
//
// The service makes another object each time it is asked, and knows no key by
// which it would recognise a repetition. So where a POST may have been processed
// and no answer says so, the creation looks: it goes through the list for the one
// object that carries exactly what was sent, was created since the POST began,
// and belongs to no other creation of this process. What it finds it adopts; when
// there is surely nothing, it sends the POST again.
type creation[T, C, U any] struct {
	Collection[T, C, U]
	body  *C
	begun time.Time // by the local clock
	own   string    // the id of an object that surely is this creation's, "" as long as there is none
}

// create makes an object, once.
func (c Collection[T, C, U]) create(ctx context.Context, body C) (*T, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	entry, err := c.client.journal.begin(ctx, c.path, encoded)
	if err != nil {
		return nil, err
	}
	creation := creation[T, C, U]{Collection: c, body: &body, begun: time.Now()}
	object, err := creation.after(ctx, entry)
	doubt, unknown := errors.AsType[*Doubt](err)
	entry.end(!unknown || len(doubt.IDs) > 0)
	return object, err
}

// after looks for what an earlier process left behind, and creates the object
// where there is nothing.
func (c *creation[T, C, U]) after(ctx context.Context, entry *entry) (*T, error) {
	if !entry.left.IsZero() {
		now := c.begun
		c.begun = entry.left
		object, err := c.find(ctx, errors.New("an earlier run ended while it created this"))
		if object != nil || err != nil {
			return object, err
		}
		c.begun = now
	}
	entry.note()
	return c.make(ctx)
}

// make sends the POST, and again after each that surely came to nothing.
func (c *creation[T, C, U]) make(ctx context.Context) (*T, error) {
	for try := 0; ; try++ {
		object, err := c.post(ctx)
		switch {
		case err == nil && try == 0:
			return object, nil
		case err == nil:
			return c.single(ctx, object)
		case try == 0 && !inDoubt(err):
			return nil, err
		}
		// A refusal of a repeated POST may come of an earlier one that was
		// processed after all: no two objects may have the same key, for instance.
		found, doubt := c.find(ctx, err)
		if found != nil || doubt != nil {
			return found, doubt
		}
		if !inDoubt(err) || try >= c.client.retry.RetryMax {
			return nil, err
		}
	}
}

// post sends the POST once, and claims what it answers.
func (c *creation[T, C, U]) post(ctx context.Context) (*T, error) {
	answer, err := c.client.send(ctx, http.MethodPost, c.path, c.body)
	if err != nil {
		return nil, err
	}
	object, err := c.object(answer, "")
	if err != nil {
		return nil, unanswered{err}
	}
	if !c.claim(object) {
		return nil, unanswered{fmt.Errorf("the service answered with %s, which another resource has", c.id(object))}
	}
	return object, nil
}

// find looks for what a POST has made that ended with lost. It returns nil where
// there is surely nothing.
func (c *creation[T, C, U]) find(ctx context.Context, lost error) (*T, error) {
	failed := 0
	for sure := 0; sure < len(c.client.looks); {
		if pause(ctx, c.wait(sure, failed)) != nil {
			return c.findNow(ctx, lost)
		}
		found, err := c.search(ctx)
		if err == nil {
			object, err := c.adopt(ctx, found, lost)
			if object != nil || err != nil {
				return object, err
			}
			sure, failed = sure+1, 0
			continue
		}
		if ctx.Err() != nil {
			return c.findNow(ctx, lost)
		}
		if failed++; failed >= failedLooks || final(err) {
			return nil, &Doubt{Cause: lost, Look: err}
		}
	}
	return nil, nil //nolint:nilnil // nothing is there
}

// wait is how long to wait before a look, where so many before it have succeeded
// and so many since have failed.
func (c *creation[T, C, U]) wait(succeeded, failed int) time.Duration {
	if failed > 0 {
		return min(c.client.retry.RetryWaitMin<<failed, c.client.retry.RetryWaitMax)
	}
	return c.client.looks[succeeded]
}

// final tells whether looking again would end the same way.
func final(err error) bool {
	answer, ok := errors.AsType[*Error](err)
	return ok && !inDoubt(answer)
}

// findNow looks once more, briefly, for a creation whose time is over.
func (c *creation[T, C, U]) findNow(ctx context.Context, lost error) (*T, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), briefly)
	defer cancel()
	found, err := c.search(ctx)
	if err == nil {
		if object, err := c.adopt(ctx, found, lost); object != nil || err != nil {
			return object, err
		}
		err = errors.New("it is not there so far")
	}
	return nil, &Doubt{Cause: lost, Look: err}
}

// A sighting is what a look has seen.
type sighting[T any] struct {
	candidates []*T // objects that may be the creation's
	undated    bool // one of which nobody knows whether it is new enough
	own        bool // whether the list has the creation's own object, that it surely is
}

// search goes once through the list.
func (c *creation[T, C, U]) search(ctx context.Context) (sighting[T], error) {
	var seen sighting[T]
	ids := map[string]bool{}
	for object, err := range c.List(ctx) {
		if err != nil {
			return seen, err
		}
		id := c.id(object)
		if ids[id] {
			continue
		}
		ids[id] = true
		seen.own = seen.own || id == c.own
		if !c.same(c.body, object) || !c.client.claims.since(c.address(id)).IsZero() {
			continue
		}
		recent, known := c.recent(object)
		if recent || !known {
			seen.candidates = append(seen.candidates, object)
			seen.undated = seen.undated || !known
		}
	}
	return seen, nil
}

// recent tells whether an object was created since the creation began, by the
// service's clock; known is false where nobody can tell.
func (c *creation[T, C, U]) recent(object *T) (recent, known bool) {
	if c.created == nil {
		return true, true // its address says that it is the one
	}
	begun, ok := c.client.clock.notBefore(c.begun)
	created, err := time.Parse(time.RFC3339, c.created(object))
	return !created.Before(begun), ok && err == nil
}

// adopt takes the only candidate for the creation's own. It returns nil where
// there is none.
func (c *creation[T, C, U]) adopt(ctx context.Context, seen sighting[T], lost error) (*T, error) {
	if len(seen.candidates) > 1 || seen.undated {
		return nil, c.doubt(lost, seen.candidates)
	}
	for _, object := range seen.candidates {
		if c.claim(object) {
			c.client.noteAdoption(ctx, c.noun, c.id(object), lost)
			return object, nil
		}
	}
	return nil, nil //nolint:nilnil // nothing is there
}

func (c *creation[T, C, U]) doubt(lost error, candidates []*T) error {
	doubt := &Doubt{Cause: lost}
	for _, object := range candidates {
		doubt.IDs = append(doubt.IDs, c.id(object))
	}
	return doubt
}

// single makes sure that a repeated POST has not made a second object after all,
// as where the service was slow to process the first one, or to list what that
// had made. As soon as the list has the second it has the first, if there is one.
func (c *creation[T, C, U]) single(ctx context.Context, object *T) (*T, error) {
	c.own = c.id(object)
	failed := 0
	for look := 0; look < len(c.client.looks) && failed < failedLooks; {
		if pause(ctx, c.wait(look, failed)) != nil {
			break
		}
		seen, err := c.search(ctx)
		switch {
		case err != nil:
			failed++
			continue
		case len(seen.candidates) > 0:
			return c.giveUp(ctx, object, seen)
		case seen.own:
			return object, nil
		}
		look++
	}
	return object, nil //nolint:nilerr // what cannot be seen is no reason to give it up
}

// giveUp deletes the second object, which is surely this creation's, and adopts
// the first.
func (c *creation[T, C, U]) giveUp(ctx context.Context, second *T, seen sighting[T]) (*T, error) {
	twice := errors.New("an earlier request of the same, whose answer was lost, was processed late")
	if len(seen.candidates) > 1 || seen.undated {
		return nil, c.doubt(twice, append(seen.candidates, second))
	}
	if err := c.Delete(ctx, c.own); err != nil && !IsGone(err) {
		return nil, c.doubt(errors.Join(twice, err), append(seen.candidates, second))
	}
	first, err := c.adopt(ctx, seen, twice)
	if first == nil && err == nil {
		err = c.doubt(twice, seen.candidates)
	}
	return first, err
}

// noteAdoption reports an object that was found after its answer got lost.
func (c *Client) noteAdoption(ctx context.Context, noun, id string, lost error) {
	if c.warn != nil {
		c.warn(ctx, "the answer to a creation got lost; the object that it made was found", map[string]any{
			"object": noun, "id": id, "cause": lost.Error(),
		})
	}
}

// claim takes an object for this creation; false where another one has it.
func (c *creation[T, C, U]) claim(object *T) bool {
	id := c.id(object)
	claimed := c.client.claims.claim(c.address(id))
	if claimed {
		c.wrote(id)
	}
	return claimed
}
