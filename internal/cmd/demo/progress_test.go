package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestProgress_printsResults(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := &progress{to: &out}
	text := "Terraform will perform the following actions:\n  + id = 1\nPlan: 1 to add, 0 to change, 0 to destroy.\na.b: Creating...\na.b: Creation complete after 0s\nApply complete! Resources: 1 added\n"
	if err := p.run(func() error {
		for piece := range strings.SplitSeq(text, "e") { // pieces end anywhere
			if _, err := p.Write([]byte(piece + "e")); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := "Plan: 1 to add, 0 to change, 0 to destroy.\na.b: Creation complete after 0s\nApply complete! Resources: 1 added\n"
	if out.String() != want {
		t.Errorf("printed:\n%s\nwant:\n%s", out.String(), want)
	}
}
