package main

import (
	"os"
	"regexp"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestReadme_healthcheck runs the health check of the example for Docker Compose.
func TestReadme_healthcheck(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(readme, -1) {
		var compose struct {
			Services map[string]struct{ Healthcheck struct{ Test []string } }
		}
		if err := yaml.Unmarshal(block[1], &compose); err != nil || len(compose.Services) == 0 {
			continue // another example
		}
		check := compose.Services["tunnel"].Healthcheck.Test
		if len(check) != 4 || check[0] != "CMD" || check[1] != "/tunnel-testserver" {
			t.Fatalf("the check is %q", check)
		}
		p := start(t)
		if out, err := command(check[2], p.ready.URL).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	t.Error("there is no example for Docker Compose")
}
