package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// growthBlocks is the number of resource blocks in the comparisons of growth.
// Terraform's work for one block grows with the square of its count.
const growthBlocks = 50

// growth plans 100, 1,000 and 10,000 SSH credentials in blocks of equal size,
// and reports what each of them costs.
func (s *stage) growth(ctx context.Context, runs int) error {
	heading()
	counts := []int{100, 1000, 10000}
	found := make([]measure, len(counts))
	for i, n := range counts {
		dir, err := s.inBlocks(n)
		if err != nil {
			return err
		}
		rows := []row{
			{name: "plan in 50 blocks, a provider that does nothing", dir: dir, program: s.hollow},
			{name: "plan in 50 blocks", dir: dir, program: s.provider},
		}
		both, err := s.compare(ctx, rows, n, commands[0].arguments, runs)
		if err != nil {
			return err
		}
		found[i] = both[1]
	}
	for i := range counts[1:] {
		few, many, objects := found[i], found[i+1], float64(counts[i+1]-counts[i])
		fmt.Printf("| from %d to %d, for each object | | | %.2f ms | | | %.2f ms | %.1f KiB | |\n", counts[i], counts[i+1],
			1000*(many.wall-few.wall)/objects, 1000*(many.provider-few.provider)/objects, 1024*(many.memory-few.memory)/objects)
	}
	return nil
}

// inBlocks is like prepare, and divides the SSH credentials among resource
// blocks.
func (s *stage) inBlocks(n int) (string, error) {
	_, dir, err := s.prepare(n)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "terraform.tfstate")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var state map[string]any
	if err := json.Unmarshal(text, &state); err != nil {
		return "", err
	}
	whole := state["resources"].([]any)[0].(map[string]any)
	instances, size := whole["instances"].([]any), n/growthBlocks
	var configuration strings.Builder
	configuration.WriteString("locals { keys = jsondecode(file(\"${path.module}/keys.json\")) }\n" + providerBlock)
	blocks := make([]any, growthBlocks)
	for b := range blocks {
		part := instances[b*size : (b+1)*size]
		for i := range part {
			part[i].(map[string]any)["index_key"] = i
		}
		blocks[b] = map[string]any{
			"mode": whole["mode"], "type": whole["type"], "name": fmt.Sprintf("test%d", b), "provider": whole["provider"], "instances": part,
		}
		fmt.Fprintf(&configuration, `resource "tunnel_ssh_credential" "test%d" {
  count       = %d
  public_key  = local.keys[%d + count.index]
  description = "seeded ${%[3]d + count.index}"
}
`, b, size, b*size)
	}
	state["resources"] = blocks
	if text, err = json.Marshal(state); err != nil {
		return "", err
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "main.tf"), []byte(configuration.String()), 0o600)
}
