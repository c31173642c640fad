package main

import (
	"bytes"
	"io"
	"regexp"
)

// A progress prints the lines of Terraform's output that report a result, and
// keeps the whole output of the last command for when it fails.
type progress struct {
	to    io.Writer
	whole bytes.Buffer
	line  []byte // what is written of the current line
}

var result = regexp.MustCompile(`(Creation|Destruction|Import) complete|^Plan: |^No changes\.|^(Apply|Destroy) complete!`)

// Write takes output, in pieces of any size.
func (p *progress) Write(output []byte) (int, error) {
	p.whole.Write(output)
	p.line = append(p.line, output...)
	for {
		line, rest, found := bytes.Cut(p.line, []byte("\n"))
		if !found {
			return len(output), nil
		}
		if result.Match(line) {
			if _, err := p.to.Write(append(bytes.Clone(line), '\n')); err != nil {
				return 0, err
			}
		}
		p.line = rest
	}
}

// run runs a command. If it fails, its whole output is printed.
func (p *progress) run(command func() error) error {
	p.whole.Reset()
	err := command()
	if err != nil {
		_, _ = p.to.Write(p.whole.Bytes()) // the error itself counts
	}
	return err
}
