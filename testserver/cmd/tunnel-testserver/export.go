package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

const exportUsage = `Usage: tunnel-testserver export

Prints all objects of the test server at TUNNEL_BASE_URL as a seed. TUNNEL_API_KEY must be
the key of an admin. Redirect the output: tunnel-testserver export > seed.json
`

// export prints all objects of a running test server as a seed.
func export(ctx context.Context, arguments []string, out, messages io.Writer) error {
	flags := newFlags("export", exportUsage, messages)
	if err := parse(flags, arguments, messages); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("export: unexpected argument %q: it reads TUNNEL_BASE_URL and TUNNEL_API_KEY. To write to a file, "+
			"redirect the output: tunnel-testserver export > %[1]s", flags.Arg(0))
	}
	c, err := newClient(ctx, io.Discard)
	if err != nil {
		return err
	}
	account, err := c.get(ctx, c.base.String()+"/_testserver/export")
	if refused, ok := errors.AsType[refusal](err); ok && refused.status == http.StatusNotFound {
		return fmt.Errorf("%w: only a test server has an export. To copy the account of a service, use tunnel-testserver clone", err)
	} else if err != nil {
		return err
	}
	return write(out, "", account)
}
