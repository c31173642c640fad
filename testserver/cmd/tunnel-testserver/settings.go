package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/behavior"
)

// errUsage means that the flags are invalid and that the error message was
// already printed.
var errUsage = errors.New("invalid usage")

// codeUsage is the exit code if the flags are invalid.
const codeUsage = 2

// keyVariable is the environment variable for the admin API key. Unlike a flag, it
// is not in the list of processes.
const keyVariable = "TUNNEL_TESTSERVER_API_KEY"

// settings are the values of the flags.
type settings struct {
	listen      string
	data        string
	readyFile   string
	certificate string // file for the certificate; empty without TLS
	seed        []byte // nil if there is no seed
	seedFile    string
	version     bool
	traffic     testserver.TrafficSettings
	authority   string   // file for the certificate of the authority of the traffic
	command     []string // to run with the server; empty to serve until a signal
	options     []testserver.Option
}

// parseSettings parses the flags. It writes errors and the help to messages.
func parseSettings(arguments []string, messages io.Writer) (*settings, error) {
	s := &settings{}
	flags := newFlags("", usage, messages)
	flags.StringVar(&s.listen, "listen", "",
		"`address` to listen on; port 0 picks a free port (default 127.0.0.1:8480, or with a command 127.0.0.1:0)")
	flags.StringVar(&s.data, "data", "", "store all objects in a file in `DIR`; stored changes survive a crash (default: in memory)")
	flags.StringVar(&s.readyFile, "ready-file", "", "write the base URL, keys and parents as JSON to `PATH` once the server listens")
	flags.StringVar(&s.certificate, "tls", "", "serve HTTPS with HTTP/1.1 and HTTP/2, and write the new certificate as PEM to `FILE`")
	flags.BoolVar(&s.version, "version", false, "print the version and exit")
	flags.Func("api-key", "admin API `key` (default: the environment variable "+keyVariable+", or a random key)", s.apiKey)
	flags.Func("clock", "start at the `TIME`, for example 2027-03-01T00:00:00Z, and run on from there (default: the current time)", s.clock)
	flags.Func("behavior", "act differently: `NAMES` such as list_small_pages,delay=20ms, seed=N for a reproducible choice, or a JSON file "+
		"of rules whose name ends in .json; can be repeated", s.behavior)
	flags.Func("allow-host", "host `NAME` under which the control endpoints and the page answer, besides IP addresses and local names; "+
		"can be repeated; * allows all", s.allowHost)
	flags.Func("seed", "create the objects in the JSON `FILE` at the start", s.readSeed)
	flags.StringVar(&s.traffic.Traffic, "traffic", "", "serve the edges of the account on this `ADDRESS`, such as 127.0.0.1:8443")
	flags.StringVar(&s.authority, "traffic-ca", "",
		"write the certificate that clients of the edges must trust, for hosts without an uploaded one, as PEM to `FILE`")
	flags.StringVar(&s.traffic.ClientHeader, "traffic-client-header", "",
		"take the IP address of clients of HTTPS edges from the header `NAME`, if a request has it")
	flags.StringVar(&s.traffic.SSH, "ssh", "", "open an SSH gateway for tunnels on this `ADDRESS`, such as 127.0.0.1:2222; needs -traffic")
	flags.StringVar(&s.traffic.SSHHost, "ssh-host", "", "`NAME` in the host certificate of the SSH gateway (default: the host of -ssh)")
	flags.BoolVar(&s.traffic.Events, "events", false, "deliver events to the callback_url of event destinations")
	flags.BoolVar(&s.traffic.AllowRemote, "allow-remote-traffic", false,
		"let -traffic and -ssh listen beyond loopback, and -events reach other machines")
	if err := parse(flags, arguments, messages); err != nil {
		return nil, err
	}
	if err := s.check(flags, slices.Contains(arguments, "--")); err != nil {
		fmt.Fprintln(messages, err)
		return nil, errUsage
	}
	return s, nil
}

// newFlags returns a set of flags for a subcommand, or for none.
func newFlags(subcommand, usage string, messages io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet(strings.TrimSpace("tunnel-testserver "+subcommand), flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(messages, usage)
		flags.PrintDefaults()
	}
	return flags
}

// parse parses flags. It prints the help if the arguments ask for it, and otherwise
// only what is wrong with them.
func parse(flags *flag.FlagSet, arguments []string, messages io.Writer) error {
	flags.SetOutput(io.Discard)
	help := flags.Usage
	flags.Usage = func() {}
	err := flags.Parse(arguments)
	flags.SetOutput(messages)
	switch {
	case errors.Is(err, flag.ErrHelp):
		help()
	case err != nil:
		text := strings.Replace(err.Error(), ": parse error", ": expected a number", 1)
		fmt.Fprintf(messages, "%s: %s. See %[1]s -help\n", flags.Name(), text)
		return errUsage
	}
	return err
}

// check checks the flags together. dashes reports whether the arguments contain the
// dashes before a command.
func (s *settings) check(flags *flag.FlagSet, dashes bool) error {
	s.command = flags.Args()
	switch {
	case len(s.command) > 0 && !dashes:
		return fmt.Errorf("unexpected argument %q: expected only flags, and a command after --, or first %s. See -help",
			flags.Arg(0), oneOf(slices.Sorted(maps.Keys(subcommands))))
	case len(s.command) == 0 && dashes:
		return errors.New("expected a command after --, such as: tunnel-testserver -- terraform plan")
	case s.traffic.Traffic == "" && s.traffic.SSH+s.authority+s.traffic.ClientHeader != "":
		return errors.New("-ssh, -traffic-ca and -traffic-client-header need -traffic, the address of the edges, such as 127.0.0.1:8443")
	case s.traffic.SSH == "" && s.traffic.SSHHost != "":
		return errors.New("-ssh-host needs -ssh, the address of the SSH gateway, such as 127.0.0.1:2222")
	}
	if s.listen == "" && dashes {
		s.listen = "127.0.0.1:0"
	}
	s.listen = cmp.Or(s.listen, "127.0.0.1:8480")
	host, _, err := net.SplitHostPort(s.listen)
	if err != nil {
		return fmt.Errorf("invalid -listen: expected an address such as 127.0.0.1:8480: %w", err)
	}
	s.use(testserver.WithHost(host))
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if key, set := os.LookupEnv(keyVariable); set && !given["api-key"] {
		if err := s.apiKey(key); err != nil {
			return fmt.Errorf("invalid environment variable %s: %w", keyVariable, err)
		}
	}
	return nil
}

func (s *settings) use(option testserver.Option) {
	s.options = append(s.options, option)
}

func (s *settings) apiKey(key string) error {
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("expected printable ASCII without spaces")
	}
	s.use(testserver.WithAPIKey(key))
	return nil
}

func (s *settings) clock(text string) error {
	start, err := time.Parse(time.RFC3339, text)
	if err != nil || start.UTC().Year() < 1970 || start.UTC().Year() >= 2200 {
		return errors.New("expected a time in RFC 3339 format from 1970 to 2199, such as 2027-03-01T00:00:00Z")
	}
	begin := time.Now()
	s.use(testserver.WithClock(func() time.Time { return start.Add(time.Since(begin)) }))
	return nil
}

// behavior reads names, or a file of rules.
func (s *settings) behavior(text string) error {
	rules := behavior.Named(text)
	if strings.HasSuffix(text, ".json") {
		data, err := os.ReadFile(text)
		if err == nil {
			rules, err = testserver.ParseRules(data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	} else if err := behavior.Check(rules); err != nil {
		return err
	}
	s.use(testserver.WithRules(rules...))
	return nil
}

func (s *settings) allowHost(name string) error {
	if name == "" || strings.ContainsAny(name, "/: ") {
		return errors.New("expected a host name without a port")
	}
	s.use(testserver.WithHost(name))
	return nil
}

func (s *settings) readSeed(path string) (err error) {
	s.seedFile = path
	s.seed, err = os.ReadFile(path)
	return err
}

// release is the version of a release, set by the linker.
var release string

// version returns the name and version of the command, as far as the build
// knows it.
func version() string {
	if release != "" {
		return "tunnel-testserver " + release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "tunnel-testserver"
	}
	return "tunnel-testserver " + info.Main.Version
}
