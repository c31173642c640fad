package quote

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Foreign returns a text that somebody else wrote, such as the service or the
// owner of a certificate, as a part of a line: see Line. It cuts a long text. The
// line must begin with a text of ours.
func Foreign(text string) string {
	const most = 1000 // bytes
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return Line(text)
}

// Line escapes what is not safe to show in a terminal, or in the log of a CI
// runner: control characters, line ends, characters that change the direction of
// text, and commands of runners.
func Line(text string) string {
	var escaped strings.Builder
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch part := text[at : at+size]; {
		case strconv.IsPrint(r) && (r != utf8.RuneError || size > 1):
			escaped.WriteString(part)
		default:
			quoted := strconv.Quote(part)
			escaped.WriteString(quoted[1 : len(quoted)-1])
		}
		at += size
	}
	text = command.ReplaceAllString(escaped.String(), `$1\x3a:$2`)
	return oldCommand.ReplaceAllString(text, `\x23#$1`)
}

var (
	// command matches the beginning of a command such as ::error::. Terraform
	// wraps long lines, so any word can become the first of a line.
	command = regexp.MustCompile(`(^|\s)::([A-Za-z])`)
	// oldCommand matches the beginning of a command such as ##[group] or
	// ##vso[task.setvariable], which runners accept anywhere in a line.
	oldCommand = regexp.MustCompile(`##([A-Za-z]*\[)`)
)
