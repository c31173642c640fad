// Command rego prints what a policy in Rego denies, one message on each line. Usage:
//
//	rego POLICY PLAN DATA
//
// PLAN and DATA are JSON files.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: rego POLICY PLAN DATA")
	}
	plan, err := os.ReadFile(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	input, err := ast.ValueFromReader(bytes.NewReader(plan))
	if err != nil {
		log.Fatal(err)
	}
	results, err := rego.New(
		rego.Load([]string{os.Args[1], os.Args[3]}, nil), rego.StrictBuiltinErrors(true),
		rego.Query("deny := data.main.deny"), rego.ParsedInput(input),
	).Eval(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range results {
		for _, message := range result.Bindings["deny"].([]any) {
			fmt.Println(message)
		}
	}
}
