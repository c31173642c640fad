package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

// writeProfile probes the open points, prints what the service decides, and writes the
// profile.
func (v *verification) writeProfile(ctx context.Context, run *conformance.Run, mark string) error {
	profile, stopped := run.Profile(v.client.base.Host)
	if err := errors.Join(stopped, v.clean(ctx, run, mark)); err != nil {
		return err
	}
	var text strings.Builder
	decided := profile.Decided()
	for _, name := range slices.Sorted(maps.Keys(decided)) {
		fmt.Fprintf(&text, "%s: %s\n", name, map[bool]string{true: "yes", false: "no"}[decided[name]])
	}
	for _, name := range slices.Sorted(maps.Keys(profile.Unknown)) {
		profile.Unknown[name] = printable(profile.Unknown[name])
		fmt.Fprintf(&text, "%s: unknown: %s\n", name, profile.Unknown[name])
	}
	content, err := json.MarshalIndent(profile, "", "  ")
	if err != nil {
		return err
	}
	if err := write(v.out, v.profile, append(content, '\n')); err != nil {
		return err
	}
	fmt.Fprintf(v.out, "%s%d open points decided, %d unknown; %d requests to %s\n",
		text.String(), len(decided), len(profile.Unknown), run.Requests, v.client.base.Host)
	if unclear := profile.Unclear(); len(unclear) > 0 {
		fmt.Fprintf(v.messages, "the profile is incomplete: the service decides otherwise than the test server can: %s\n",
			strings.Join(unclear, ", "))
		return exitCode(codeIncomplete)
	}
	return nil
}
