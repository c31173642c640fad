package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// copyFlags are the flags of the subcommands that use a copy of an account and print a
// report.
type copyFlags struct {
	account string // file; empty means the service
	skip    string
	format  string
	file    string // of the report; empty means standard output

	formats []string
}

// add adds the flags. The first format is the default.
func (f *copyFlags) add(flags *flag.FlagSet, formats ...string) {
	f.formats = formats
	flags.StringVar(&f.account, "account", "", "read the account from a `FILE` that clone or export has written")
	flags.StringVar(&f.skip, "skip", "", "`PATHS` of lists that the service does not have, as for clone")
	flags.StringVar(&f.format, "format", formats[0], "`FORMAT`: "+oneOf(formats))
	flags.StringVar(&f.file, "o", "", "write to `FILE`, which only you can read, instead of standard output")
}

func (f *copyFlags) check() error {
	if !slices.Contains(f.formats, f.format) {
		return fmt.Errorf("invalid -format: expected %s, found %q", oneOf(f.formats), f.format)
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

// print writes the report.
func (f *copyFlags) print(out io.Writer, report string) error {
	return write(out, f.file, []byte(report))
}
