package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// server is the content of the test server's ready file.
type server struct {
	URL     string `json:"url"`
	PageURL string `json:"page_url"`
	APIKey  string `json:"api_key"`
}

// environment returns the environment for Terraform: the caller's environment
// without its settings for Terraform and this provider.
func (s *server) environment(cli string) map[string]string {
	environment := map[string]string{}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "TF_") && !strings.HasPrefix(name, "TUNNEL_") {
			environment[name] = value
		}
	}
	environment["TF_CLI_CONFIG_FILE"] = cli
	environment["CHECKPOINT_DISABLE"] = "1"
	environment["TUNNEL_BASE_URL"] = s.URL
	environment["TUNNEL_API_KEY"] = s.APIKey
	return environment
}

// startServer starts the test server and returns it with a function that stops
// it.
func startServer(ctx context.Context, program, dir string) (*server, func(), error) {
	ready := filepath.Join(dir, "ready.json")
	var log bytes.Buffer
	cmd := exec.Command(program, "-listen", "127.0.0.1:0", "-require-reserved", "-ready-file", ready)
	cmd.Stdout, cmd.Stderr = io.Discard, &log
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Wait()
		close(ended)
	}()
	stop := func() {
		cmd.Process.Signal(os.Interrupt) //nolint:errcheck // the process may have ended already
		select {
		case <-ended: //nolint:errcheck // the exit status after an interrupt is irrelevant
		case <-time.After(5 * time.Second):
			cmd.Process.Kill() //nolint:errcheck // there is no further fallback
		}
	}
	for {
		if content, err := os.ReadFile(ready); err == nil {
			s := &server{}
			if err := json.Unmarshal(content, s); err != nil {
				stop()
				return nil, nil, err
			}
			return s, stop, nil
		}
		select {
		case err := <-ended:
			return nil, nil, fmt.Errorf("the test server stopped immediately: %w\n%s", err, log.String())
		case <-ctx.Done():
			stop()
			return nil, nil, context.Cause(ctx)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// upload creates a certificate without Terraform and returns its id.
func (s *server) upload(ctx context.Context, dir string) (string, error) {
	chain, err := os.ReadFile(filepath.Join(dir, "existing.pem"))
	if err != nil {
		return "", err
	}
	key, err := os.ReadFile(filepath.Join(dir, "existing_key.pem"))
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(map[string]string{
		"certificate_pem": string(chain), "private_key_pem": string(key), "description": "uploaded by hand",
	})
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/tls_certificates", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+s.APIKey)
	req.Header.Set("Service-Version", "2")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var answer struct{ ID, Msg string }
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return "", err
	}
	if answer.ID == "" {
		return "", errors.New("upload a certificate: " + resp.Status + " " + answer.Msg)
	}
	return answer.ID, nil
}
