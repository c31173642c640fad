// Command tunnel-testserver runs the Tunnel Service Management API locally, for
// tests and demonstrations.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := codeOf(dispatch(ctx, os.Args[1:], os.Stdout, os.Stderr), os.Stderr)
	stop()
	os.Exit(code)
}

// subcommands are the commands that the first argument names.
var subcommands = map[string]func(ctx context.Context, arguments []string, out, messages io.Writer) error{
	"calendar": makeCalendar, "clone": cloneAccount, "explore": exploreCommand, "health": health, "rehearse": rehearse,
	"traffic": showTraffic, "verify": verify,
}

// dispatch runs a subcommand, or the server.
func dispatch(ctx context.Context, arguments []string, out, messages io.Writer) error {
	if len(arguments) == 0 || subcommands[arguments[0]] == nil {
		return run(ctx, arguments, out, messages)
	}
	if slices.Contains([]string{"calendar", "explore", "rehearse", "traffic"}, arguments[0]) { // they leave copies of a state behind otherwise
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGHUP, syscall.SIGQUIT)
		defer stop()
	}
	return subcommands[arguments[0]](ctx, arguments[1:], out, messages)
}

// codeOf returns the exit code for an error, and prints the error.
func codeOf(err error, messages io.Writer) int {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if errors.Is(err, errUsage) {
		return codeUsage
	}
	if code, ok := errors.AsType[exitCode](err); ok {
		return int(code)
	}
	lines := strings.Split(err.Error(), "\n") // some errors have several, and what a service answered is in many
	for i, line := range lines {
		lines[i] = problem.Escape(line)
	}
	fmt.Fprintln(messages, "tunnel-testserver:", strings.Join(lines, "\n"))
	if failed, ok := errors.AsType[notRun](err); ok {
		return failed.code
	}
	if _, ok := errors.AsType[copy.Refused](err); ok {
		return 3
	}
	return 1
}

// stopWait is how long requests in progress can continue after a signal.
const stopWait = 5 * time.Second

// run serves requests until the context ends. It writes user output to out and
// the log to logs.
func run(ctx context.Context, arguments []string, out, logs io.Writer) (err error) {
	settings, err := parseSettings(arguments, logs)
	if err != nil {
		return err
	}
	if settings.version {
		fmt.Fprintln(out, version())
		return nil
	}
	level := slog.LevelInfo
	signals := make(chan os.Signal, 8) // for the command
	if len(settings.command) > 0 {     // the output belongs to the command
		signal.Notify(signals, passedOn...)
		defer signal.Stop(signals)
		level, out = slog.LevelWarn, io.Discard
		defer func() {
			if _, ended := errors.AsType[exitCode](err); err != nil && !ended && !errors.As(err, new(notRun)) {
				err = notRun{err, codeNoServer}
			}
		}()
	}
	log := slog.New(slog.NewTextHandler(logs, &slog.HandlerOptions{Level: level}))
	listener, err := net.Listen("tcp", settings.listen)
	if err != nil {
		return explain(fmt.Errorf("listen: %w", err))
	}
	defer func() { _ = listener.Close() }() // a second Close is harmless
	settings.use(testserver.WithLogger(log))
	if settings.data != "" {
		store, openErr := testserver.OpenStore(settings.data)
		if openErr != nil {
			return openErr
		}
		defer func() { err = errors.Join(err, store.Close()) }()
		settings.use(testserver.WithStore(store))
	}
	server := testserver.New(settings.options...)
	server.URL = "http://" + reachable(listener.Addr())
	front := frontOf(server, log)
	if settings.certificate != "" {
		if listener, err = server.EnableTLS(front, listener); err != nil {
			return err
		}
		server.URL = "https://" + reachable(listener.Addr())
		if err := os.WriteFile(settings.certificate, []byte(server.Certificate), 0o600); err != nil {
			return fmt.Errorf("write the certificate: %w", err)
		}
	}
	if settings.seed != nil {
		if err := server.Seed(settings.seed); err != nil {
			return fmt.Errorf("%s: %w", settings.seedFile, err)
		}
	}
	opened, err := server.OpenTraffic(settings.traffic)
	if err != nil {
		return explain(err)
	}
	defer opened.Close()
	if settings.authority != "" {
		if err := os.WriteFile(settings.authority, opened.Authority(), 0o600); err != nil {
			return fmt.Errorf("write the certificate of the authority: %w", err)
		}
	}
	if settings.readyFile != "" {
		if err := writeReadyFile(settings.readyFile, server); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "export TUNNEL_BASE_URL=%s TUNNEL_API_KEY=%s\n", server.URL, server.AdminKey)
	fmt.Fprintf(out, "# Open in a browser to see requests and objects: %s\n", server.PageURL())
	fmt.Fprintf(out, "# %s is the admin key. Other keys:\n", server.AdminKey)
	fmt.Fprintf(out, "# %s is the key of a bot user that is not an admin\n", server.OrdinaryKey)
	fmt.Fprintf(out, "# %s is a read-only key of the same bot user\n", server.ReadOnlyKey)
	if rules := server.RulesInForce(); len(rules) > 0 {
		var names []string
		for _, rule := range rules {
			names = append(names, rule.Behavior)
		}
		fmt.Fprintf(out, "# Behavior: %s\n", strings.Join(names, ","))
	}
	parents, err := json.MarshalIndent(server.Parents, "# ", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "# Objects that exist from the start:\n# %s\n", parents)
	if opened.Traffic != "" {
		fmt.Fprintf(out, "# Edges: curl --connect-to ::%s https://...\n", opened.Traffic)
	}
	if opened.SSH != "" {
		host, port, _ := net.SplitHostPort(opened.SSH) // of a listener
		fmt.Fprintf(out, "# SSH gateway: ssh -p %s -R 0:localhost:3000 %s tunnel --label app=web\n", port, host)
	}
	log.Info("listening", "url", server.URL, "data", settings.data)
	if len(settings.command) == 0 {
		return serve(ctx, front, listener, server, log)
	}
	if ctx.Err() != nil {
		return errors.New("interrupted before the command started")
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // the command decides about signals
	var code error
	go func() {
		code = runCommand(settings.command, server, signals)
		stop()
	}()
	if err := serve(ctx, front, listener, server, log); err != nil {
		stop()
		return err
	}
	return code
}

// explain says what to do about an error of a listener.
func explain(err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("another program uses the address: stop it, or use port 0 for a free port: %w", err)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("ports below 1024 need more rights: use a higher one: %w", err)
	}
	return err
}

// reachable returns an address that a client on this machine can connect to.
func reachable(address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if ip := net.ParseIP(host); err == nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return address.String()
}

const (
	// maxHeader is the maximum size of a request header in bytes.
	maxHeader = 64 << 10
	// maxIdle is how long a connection can be idle, of HTTP/1 and HTTP/2.
	maxIdle = 2 * time.Minute
)

func frontOf(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: time.Minute, IdleTimeout: maxIdle, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// serve serves requests until the context ends and then waits for requests in
// progress, for at most stopWait.
func serve(ctx context.Context, front *http.Server, listener net.Listener, server *testserver.Server, log *slog.Logger) error {
	failed := make(chan error, 1)
	go func() { failed <- front.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	log.Info("stopping")
	server.Close()
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWait)
	defer cancel()
	if err := front.Shutdown(limited); err != nil {
		return front.Close()
	}
	return nil
}
