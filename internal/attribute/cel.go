package attribute

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// CEL validates the syntax of an expression in the Common Expression Language.
// It does not check whether the service knows the variables and functions.
var CEL = Check("a CEL expression", CheckCEL)

// CheckCEL returns an error if the syntax of a CEL expression is invalid. The
// error shows the position of the first mistake, if it is known.
func CheckCEL(expression string) error {
	if strings.TrimSpace(expression) == "" {
		return errors.New("must be a CEL expression; found an empty string")
	}
	source := common.NewTextSource(expression)
	_, found := policy.Parse(source)
	if len(found.GetErrors()) == 0 {
		return nil
	}
	first := found.GetErrors()[0]
	reason := quote.Foreign(longToken.ReplaceAllString(celReason(first.Message), "a long token"))
	line, column := first.Location.Line(), first.Location.Column()
	if line < 1 || column < 0 { // the error has no position
		return fmt.Errorf("is not a valid CEL expression: %s", reason)
	}
	expected := "Expected an expression such as conn.client_ip in ['192.0.2.1']"
	if hint := celHint(source, line, column); hint != "" {
		expected = hint
	} else if strings.Contains(reason, "unterminated") {
		expected = "Close the string with the same quote that begins it"
	}
	return fmt.Errorf("is not a valid CEL expression. Line %d, column %d: %s\n\n%s\n\n%s",
		line, column+1, reason, caretLine(source, line, column), expected)
}

// mismatched matches the error of the parser for a token that it did not expect.
var mismatched = regexp.MustCompile(`^mismatched input '?(.*?)'? expecting (.+)$`)

// celReason returns an error of the parser without the terms of its grammar.
func celReason(message string) string {
	message = strings.TrimPrefix(message, "Syntax error: ")
	parts := mismatched.FindStringSubmatch(message)
	if parts == nil {
		return message
	}
	found, expected := parts[1], strings.ReplaceAll(parts[2], "expression", "a value")
	if found == "<EOF>" {
		return "the expression ends too early; expected " + expected
	}
	return fmt.Sprintf("expected %s; found '%s'", expected, found)
}

// longToken matches a token in an error that is too long for a message, because
// it could be a secret in a wrong place.
var longToken = regexp.MustCompile(`'[^']{41,}'`)

// operatorWords maps operators of other languages to those of CEL.
var operatorWords = map[string]string{"and": "&&", "or": "||", "not": "!"}

// celHint returns what to write instead of an operator of another language at
// the position of an error, or "" if there is none.
func celHint(source common.Source, line, column int) string {
	text, _ := source.Snippet(line)
	runes := []rune(text)
	at := min(column, len(runes))
	before, after := strings.TrimSpace(string(runes[:at])), string(runes[at:])
	next, following, _ := strings.Cut(after, " ")
	last := before[strings.LastIndexAny(before, " (")+1:]
	for _, place := range bareAddress.FindAllStringIndex(text, -1) {
		if start := utf8.RuneCountInString(text[:place[0]]); start <= at && at <= start+place[1]-place[0] { // the address is ASCII
			return "Write an address as a string, such as conn.client_ip in ['192.0.2.1'], and a range as inCidrRange(conn.client_ip, " +
				"'192.0.2.0/24')"
		}
	}
	if strings.IndexAny(after, "“”„‘’‚") == 0 {
		return `Use straight quotes (' or ") around a string`
	}
	switch operator, wrong := operatorWords[strings.ToLower(next)]; {
	case strings.EqualFold(next, "not") && strings.HasPrefix(strings.TrimSpace(following), "in"):
		return "Use !(a in b) instead of a not in b"
	case wrong:
		return fmt.Sprintf("Use %s instead of %s", operator, quote.Value(next))
	case strings.HasPrefix(after, "=~"):
		return "Use matches() for a regular expression, such as conn.tls.sni.matches('^a[.]')"
	case strings.HasPrefix(after, "="):
		return "Use == to compare two values"
	case strings.HasPrefix(after, ">") && strings.HasSuffix(before, "<"):
		return "Use != instead of <>"
	case strings.EqualFold(last, "not"):
		return fmt.Sprintf("Use ! instead of %s, such as !(conn.client_ip in ['192.0.2.1'])", quote.Value(last))
	}
	return ""
}

// bareAddress matches an IPv4 address or range.
var bareAddress = regexp.MustCompile(`[0-9]+(\.[0-9]+){3}(/[0-9]+)?`)

// CELVariables warns about a variable that is one edit away from one in public
// use, or lacks conn. Other variables are the service's own.
var CELVariables = misspelled("Unusual variable", "known variables", func(expression string) error {
	parsed, found := policy.Parse(common.NewTextSource(expression))
	if len(found.GetErrors()) > 0 { // an error of CEL
		return nil
	}
	for _, name := range policy.Variables(parsed) {
		meant := OneEditFrom(name, policy.PublicVariables...)
		if slices.Contains(policy.PublicVariables, "conn."+name) {
			meant = "conn." + name
		}
		meant = cmp.Or(meant, policy.VariablesElsewhere[name])
		if first, _, member := strings.Cut(name, "."); member && slices.Contains([]string{"req", "res", "request", "response", "http"}, first) {
			return fmt.Errorf("has the variable %s, but a policy decides about connections, before there is an HTTP request", quote.Foreign(name))
		}
		if meant != "" {
			place := ""
			if before, _, ok := strings.Cut(expression, name); ok {
				place = fmt.Sprintf(" at column %d", utf8.RuneCountInString(before)+1)
			}
			return fmt.Errorf("has the variable %s%s. Did you mean %s?", name, place, meant)
		}
	}
	return nil
})

// caretLine returns a line of a source, with an arrow below the column. It
// returns only a part of a long line, which could be a secret in a wrong place,
// and replaces characters that are not safe to show. The text begins no line.
func caretLine(source common.Source, line, column int) string {
	const around = 20 // runes on each side that are shown of a long line
	snippet, _ := source.Snippet(line)
	text := []rune(snippet)
	for i, r := range text {
		if !strconv.IsPrint(r) && r != '\t' {
			text[i] = utf8.RuneError
		}
	}
	column = min(column, len(text))
	if len(text) > 2*around {
		from, to := max(0, column-around), min(len(text), column+around)
		text, column = text[from:to], column-from
	}
	before := slices.Clone(text[:column])
	for i, r := range before {
		if r != '\t' {
			before[i] = ' '
		}
	}
	return "  | " + string(text) + "\n  | " + string(before) + "^"
}
