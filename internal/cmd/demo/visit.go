package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// clientHeader is the header with the address of a client of the demo's website.
const clientHeader = "Client-IP"

// visit opens a tunnel to a website with ssh, and visits it as the edge serves it.
func (d *demo) visit(ctx context.Context) error {
	step("Open a tunnel with ssh -R, and visit https://www.example.com/")
	if _, err := exec.LookPath("ssh"); err != nil {
		fmt.Println("Skipped: ssh is not installed.")
		return nil
	}
	website := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }))
	defer website.Close()
	client, err := d.visitor()
	if err != nil {
		return err
	}
	if err := get(ctx, client, "192.0.2.7", "503 Back soon"); err != nil { // no tunnel is open
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	host, port, err := net.SplitHostPort(d.traffic.SSH)
	if err != nil {
		return err
	}
	ssh := exec.CommandContext(ctx, "ssh", "-F", "none", "-p", port, "-i", filepath.Join(d.dir, "user_key"), "-o", "IdentityAgent=none",
		"-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile="+os.DevNull, "-o", "LogLevel=ERROR",
		"-R", "0:"+website.Listener.Addr().String(), host, "tunnel --label app=web --label deployment=blue")
	shown, err := ssh.StderrPipe()
	if err == nil {
		err = ssh.Start()
	}
	if err != nil {
		return err
	}
	defer func() { _ = ssh.Wait() }() // it was killed
	defer stop()
	line, err := bufio.NewReader(shown).ReadString('\n')
	if fmt.Print("  ssh: ", line); err != nil || !strings.Contains(line, "is open") {
		return fmt.Errorf("ssh opens no tunnel: %w", errors.Join(err, ctx.Err()))
	}
	if err := get(ctx, client, "192.0.2.7", "200 hello"); err != nil {
		return err
	}
	return get(ctx, client, "198.51.100.7", "403 403: refused by the IP restriction")
}

// visitor returns a client that trusts the certificate of the website, and finds the
// edge.
func (d *demo) visitor() (*http.Client, error) {
	certificate, err := os.ReadFile(filepath.Join(d.dir, "certificate.pem"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(certificate)
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, d.traffic.Traffic)
		},
	}}, nil
}

// get visits the website from an address, and returns an error unless it gets an
// answer.
func get(ctx context.Context, client *http.Client, from, want string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://www.example.com/", nil)
	if err != nil {
		return err
	}
	r.Header.Set(clientHeader, from)
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	got := fmt.Sprintf("%d %s", response.StatusCode, strings.TrimSpace(string(body)))
	fmt.Printf("  from %s: %s\n", from, got)
	if got != want {
		return fmt.Errorf("expected %s", want)
	}
	return nil
}
