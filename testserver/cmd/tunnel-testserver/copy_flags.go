package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
)

// copyFlags are the flags of the subcommands that use a copy of an account.
type copyFlags struct {
	account string // file; empty means the service
	skip    string
	format  string
	file    string   // of the report; empty means standard output
	command []string // after --

	formats []string // empty without a report
}

// add adds the flags. The first format is the default.
func (f *copyFlags) add(flags *flag.FlagSet, formats ...string) {
	f.formats = formats
	flags.StringVar(&f.account, "account", "", "read the account from a `FILE` that clone or export has written")
	flags.StringVar(&f.skip, "skip", "", "`PATHS` of lists that the service does not have, as for clone")
	if len(formats) > 0 {
		flags.StringVar(&f.format, "format", formats[0], "`FORMAT`: "+oneOf(formats))
		flags.StringVar(&f.file, "o", "", "write to `FILE`, which only you can read, instead of standard output")
	}
}

// parse parses the flags and the command, and checks them.
func (f *copyFlags) parse(flags *flag.FlagSet, arguments []string, messages io.Writer, check func() error) error {
	if err := parse(flags, arguments, messages); err != nil {
		return err
	}
	f.command = flags.Args()
	var err error
	switch {
	case len(f.command) == 0 || !slices.Contains(arguments, "--"):
		err = fmt.Errorf("expected terraform or another command after --. See %s -help", flags.Name())
	case len(f.formats) > 0 && !slices.Contains(f.formats, f.format):
		err = fmt.Errorf("invalid -format: expected %s, found %q", oneOf(f.formats), f.format)
	default:
		err = check()
	}
	if err != nil {
		fmt.Fprintf(messages, "%s: %s\n", flags.Name(), err)
		return errUsage
	}
	return nil
}

// source returns the flags that say where the account comes from.
func (f *copyFlags) source() (flags []string) {
	if f.account != "" {
		flags = append(flags, "-account", f.account)
	}
	if f.skip != "" {
		flags = append(flags, "-skip", f.skip)
	}
	return flags
}

func oneOf(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// read returns the account as a seed.
func (f *copyFlags) read(ctx context.Context, messages io.Writer) ([]byte, error) {
	if f.account != "" {
		return os.ReadFile(f.account)
	}
	var account bytes.Buffer
	err := cloneAccount(ctx, []string{"-skip", f.skip}, &account, messages)
	return account.Bytes(), err
}

// print writes the report: a value as JSON, or what write writes.
func (f *copyFlags) print(out io.Writer, value any, writeReport func(io.Writer) error) error {
	if f.format == "json" {
		writeReport = func(out io.Writer) error { return writeJSON(out, value) }
	}
	var text bytes.Buffer
	if err := writeReport(&text); err != nil {
		return err
	}
	return write(out, f.file, text.Bytes())
}

// serveCopy serves a copy of an account on a free port of this machine until stop is
// called. Requests go to handler, which is the server or stands in front of it.
func serveCopy(ctx context.Context, account []byte, server *testserver.Server, handler http.Handler) (stop func(), err error) {
	if err := server.Seed(account); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	server.URL = "http://" + listener.Addr().String()
	log := slog.New(slog.DiscardHandler)
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = serve(running, frontOf(handler, log), listener, server, log)
	}()
	return func() { end(); <-ended }, nil
}

// onServer returns a folder whose Terraform is a client of a server.
func onServer(folder *copy.Folder, server *testserver.Server, more ...string) *copy.Folder {
	return folder.For(func() int { return server.Stats().Total }, ofClient(more, server)...)
}
