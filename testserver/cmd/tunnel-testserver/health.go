package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

const healthUsage = `Usage: tunnel-testserver health URL

Exits with 0 if a test server answers at URL, such as http://127.0.0.1:8480, otherwise
with 1.
`

// health checks that a test server answers.
func health(ctx context.Context, arguments []string, _, messages io.Writer) error {
	flags := newFlags("health", healthUsage, messages)
	if err := parse(flags, arguments, messages); err != nil {
		return err
	}
	address, err := url.Parse(flags.Arg(0))
	if err != nil || flags.NArg() != 1 || address.Host == "" || strings.Trim(address.Path, "/") != "" {
		return errors.New("health: expected the URL of a test server, such as http://127.0.0.1:8480, without a path")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(flags.Arg(0), "/")+"/_testserver/health", nil)
	if err != nil {
		return errors.New("health: invalid URL")
	}
	response, err := noRedirects.Do(request)
	if err != nil {
		return fmt.Errorf("health: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("health: %s", response.Status)
	}
	return nil
}
