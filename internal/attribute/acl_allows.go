package attribute

import (
	"errors"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// ACLAllows reports whether an ACL permits a client to bind a domain, a host and
// port, or a label. A rule permits only what has its own form: a domain does not
// permit a host and port. An ACL without rules permits everything.
func ACLAllows(rules []string, bind string) (bool, error) {
	if err := checkBind(bind); err != nil {
		return false, err
	}
	allows := isOpen(rules)
	for _, rule := range rules {
		if err := checkACLRule(rule, hostText); err != nil {
			return false, InvalidRuleError{rule, err}
		}
		allows = allows || permits(rule, bind)
	}
	return allows, nil
}

// InvalidRuleError is the error for a rule of an ACL.
type InvalidRuleError struct {
	rule   string
	reason error
}

func (e InvalidRuleError) Error() string {
	return "element " + quote.Value(e.rule) + " " + e.reason.Error()
}

func (e InvalidRuleError) Unwrap() error { return e.reason }

// checkBind returns an error if a text is not what a client can ask to bind.
func checkBind(bind string) error {
	key, value, isLabel := strings.Cut(bind, "=")
	reason := aclError("bind:"+bind, hostText)
	switch {
	case bind == "":
		return bindError("an empty string")
	case strings.HasPrefix(bind, "bind:"):
		return bindError(quote.Value(bind) + ". Remove bind:, which only rules have")
	case strings.Contains(bind, ",") && reason != nil:
		return bindError("a comma: " + quote.Value(bind) + ". Ask for one at a time")
	case bind == "*", isLabel && (key == "*" || value == "*"):
		return bindError(quote.Value(bind) + ": only rules can match any domain, key or value")
	case reason != nil:
		return bindError(quote.Value(bind) + ": " + reason.Error())
	}
	return nil
}

func bindError(found string) error {
	return errors.New("must be what a client asks to bind: a domain such as www.example.com or *.example.com, a host and port such as " +
		"1.tcp.example.com:20001, or a label such as env=prod; found " + found)
}

// permits reports whether a valid rule permits a valid bind. A wildcard matches any
// subdomain, with any number of labels. bind:* matches any domain.
func permits(rule, bind string) bool {
	target := strings.TrimPrefix(rule, "bind:")
	key, value, isLabel := strings.Cut(target, "=")
	askedKey, askedValue, asksLabel := strings.Cut(bind, "=")
	suffix, isWildcard := strings.CutPrefix(strings.ToLower(target), "*")
	switch {
	case isLabel != asksLabel:
		return false
	case isLabel:
		return (key == "*" || key == askedKey) && (value == "*" || value == askedValue)
	case isWildcard:
		return !strings.Contains(bind, ":") && strings.HasSuffix(strings.ToLower(bind), suffix)
	}
	return sameHost(target) == sameHost(bind)
}
