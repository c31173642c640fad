package attribute

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// ParseExpression is regexp.Compile with an error for users.
func ParseExpression(text string) (*regexp.Regexp, error) {
	expression, err := regexp.Compile(text)
	if err == nil {
		return expression, nil
	}
	reason := "invalid expression"
	if invalid, ok := errors.AsType[*syntax.Error](err); ok {
		reason = fmt.Sprintf("%s: %s", invalid.Code, Quote(invalid.Expr))
	}
	hint := ""
	switch {
	case strings.Contains(text, "(?=") || strings.Contains(text, "(?!") || strings.Contains(text, "(?<"):
		hint = ". RE2 does not support lookahead and lookbehind"
	case strings.HasPrefix(text, "*"):
		hint = ". To match any text, use .*"
	}
	return nil, fmt.Errorf("must be a regular expression in RE2 syntax, such as ^prod-; found %s: %s%s", Quote(text), reason, hint)
}
