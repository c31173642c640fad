package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// ready is the content of the ready file.
type ready struct {
	URL            string             `json:"url"`
	PageURL        string             `json:"page_url"`
	APIKey         string             `json:"api_key"`
	OrdinaryAPIKey string             `json:"ordinary_api_key"`
	ReadOnlyAPIKey string             `json:"read_only_api_key"`
	Parents        testserver.Parents `json:"parents"`
}

// writeReadyFile writes the file atomically: a reader sees the complete file or
// none. Only the owner can read the file, because it contains keys.
func writeReadyFile(path string, server *testserver.Server) error {
	told := ready{server.URL, server.PageURL(), server.AdminKey, server.OrdinaryKey, server.ReadOnlyKey, server.Parents}
	content, err := json.MarshalIndent(told, "", "  ")
	if err != nil {
		return err
	}
	if err := writePrivate(path, append(content, '\n')); err != nil {
		return fmt.Errorf("write the ready file: %w", err)
	}
	return nil
}

// writePrivate writes a file that only its owner can read, atomically.
func writePrivate(path string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".tunnel-testserver-*") // creates the file with mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
