package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
)

// copyFlags are the flags of the subcommands that run Terraform, or for explore another
// command, on a copy of an account.
type copyFlags struct {
	account string // file; empty means the service
	skip    string
	format  string
	file    string   // of the report; empty means standard output
	command []string // Terraform, and options of each plan; or another command
	others  bool     // it may be another command

	formats  []string // empty without a report
	baseline string   // file of an earlier report
	known    []string // its keys
	name     string   // of the subcommand
}

// add adds the flags. The first format is the default.
func (f *copyFlags) add(flags *flag.FlagSet, formats ...string) {
	f.formats = formats
	flags.StringVar(&f.account, "account", "", "read the account from a `FILE` that clone has written")
	flags.StringVar(&f.skip, "skip", "", "`PATHS` of lists that the service does not have, as for clone")
	if len(formats) > 0 {
		flags.StringVar(&f.format, "format", formats[0], "`FORMAT`: "+oneOf(formats))
		flags.StringVar(&f.file, "o", "", "write to `FILE`, which only you can read, instead of standard output")
	}
	if slices.Contains(formats, "markdown") {
		flags.StringVar(&f.baseline, "baseline", "", "leave out what an earlier report in `FILE`, of -format json, has; also for the exit code")
	}
}

// parse parses the flags and the command, and checks them.
func (f *copyFlags) parse(flags *flag.FlagSet, arguments []string, messages io.Writer, check func() error) error {
	if err := parse(flags, arguments, messages); err != nil {
		return err
	}
	f.command, f.name = flags.Args(), flags.Name()
	err, expected := check(), "terraform or tofu"
	if f.others {
		expected = "terraform or another command"
	}
	switch {
	case len(f.command) == 0 || !slices.Contains(arguments, "--") || !f.others && !isTerraform(f.command[0]):
		err = fmt.Errorf("expected %s after --, such as: %s -- terraform. See %[2]s -help", expected, flags.Name())
	case len(f.formats) > 0 && !slices.Contains(f.formats, f.format):
		err = fmt.Errorf("invalid -format: expected %s, found %q", oneOf(f.formats), f.format)
	}
	if err != nil {
		fmt.Fprintf(messages, "%s: %s\n", flags.Name(), err)
		return errUsage
	}
	return nil
}

func isTerraform(program string) bool {
	name := filepath.Base(program)
	return strings.HasPrefix(name, "terraform") || strings.HasPrefix(name, "tofu")
}

// open copies the current directory for Terraform, and returns the copy and the account
// as a seed.
func (f *copyFlags) open(ctx context.Context, messages io.Writer) (folder *copy.Folder, account []byte, err error) {
	if err := checkFolder(f.file); err != nil {
		return nil, nil, err
	}
	if f.baseline != "" {
		var report struct{ Keys []string }
		content, err := os.ReadFile(f.baseline)
		if err == nil && (json.Unmarshal(content, &report) != nil || report.Keys == nil) {
			err = fmt.Errorf("%s: expected a report of %s with -format json", f.baseline, f.name)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("invalid -baseline: %w", err)
		}
		f.known = report.Keys
	}
	if f.account != "" {
		if account, err = os.ReadFile(f.account); err == nil && !json.Valid(account) {
			err = fmt.Errorf("%s: expected JSON that clone has written", f.account)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("invalid -account: %w", err)
		}
	}
	if isTerraform(f.command[0]) {
		folder, err = copy.New(ctx, f.command)
	} else if account == nil && os.Getenv("TUNNEL_BASE_URL") == "" {
		account = testserver.New().Export()
	}
	if err != nil || account != nil {
		return folder, account, err
	}
	var cloned bytes.Buffer
	if err := cloneAccount(ctx, []string{"-skip", f.skip}, &cloned, messages); err != nil {
		if folder != nil {
			folder.Remove()
		}
		return nil, nil, err
	}
	return folder, cloned.Bytes(), nil
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

// print writes a report.
func (f *copyFlags) print(out io.Writer, report interface{ WriteText(out io.Writer) error }) (err error) {
	var text bytes.Buffer
	if f.format == "json" {
		err = printJSON(&text, report)
	} else {
		err = report.WriteText(&text)
	}
	if err != nil {
		return err
	}
	if f.format == "markdown" {
		return write(out, f.file, markdown(f.name, text.String()))
	}
	return write(out, f.file, text.Bytes())
}

func printJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// maxComment is the maximum size of a text in a comment. GitHub takes 65,536 characters.
const maxComment = 60_000

// markdown returns a text for a comment, in a block in which nothing of it is markup.
func markdown(heading, text string) []byte {
	if len(text) > maxComment {
		text = strings.ToValidUTF8(text[:maxComment], "") + "\n... The rest is in the report with -format text.\n"
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fmt.Appendf(nil, "### %s\n\n%stext\n%s%s\n", heading, fence, text, fence)
}

func oneOf(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// number returns what parses the value of a flag, from 1 to most.
func number(into *int, most int) func(string) error {
	return func(text string) error {
		value, err := strconv.Atoi(text)
		if *into = value; err != nil || value < 1 || value > most {
			return fmt.Errorf("expected a number from 1 to %d", most)
		}
		return nil
	}
}

// duration returns what parses the value of a flag.
func duration(into *time.Duration, least, most time.Duration) func(string) error {
	return func(text string) error {
		value, err := time.ParseDuration(text)
		if *into = value; err != nil || value < least || value > most {
			return fmt.Errorf("expected a duration from %s to %s, such as 90s", least, most)
		}
		return nil
	}
}
