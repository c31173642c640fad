package pki

import (
	lru "github.com/hashicorp/golang-lru/v2"
)

// remembered is the number of texts whose parsed form is kept. Terraform works on
// ten objects at once by default.
const remembered = 32

// remember returns a parser that keeps a promise: a creation takes no longer for
// its size. The framework validates a value, compares it and plans with it in many
// steps, and each would parse it again. Callers must not change the results.
func remember[T any](parse func(string) (T, error)) func(string) (T, error) {
	type result struct {
		value T
		err   error
	}
	results, err := lru.New[string, result](remembered)
	if err != nil {
		panic(err) // the size is positive
	}
	return func(text string) (T, error) {
		known, ok := results.Get(text)
		if !ok {
			known.value, known.err = parse(text)
			results.Add(text, known)
		}
		return known.value, known.err
	}
}
