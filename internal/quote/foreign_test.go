package quote

import (
	"strings"
	"testing"
)

func TestForeign_isSafeToShow(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                              "",
		`web: "a" \ ü 漢 ✓`:              `web: "a" \ ü 漢 ✓`,
		"\x1b[31mred":                   `\x1b[31mred`,
		"a\r\nb\tc\x00":                 `a\r\nb\tc\x00`,
		"a\u2028b\u0085c\u202edcba":     `a\u2028b\u0085c\u202edcba`,
		"\xff\ufeff\u200b":              `\xff\ufeff\u200b`,
		"::error::x":                    `\x3a:error::x`,
		"a ::error file=b::x":           `a \x3a:error file=b::x`,
		"a\n::stop-commands::t":         `a\n::stop-commands::t`, // in the middle of a word
		"2001:db8::1 ::1 [::]:22":       "2001:db8::1 ::1 [::]:22",
		"provider::tunnel::f()":         "provider::tunnel::f()",
		"a ##[group]b ##vso[task.x]c #": `a \x23#[group]b \x23#vso[task.x]c #`,
		strings.Repeat("ü", 501):        strings.Repeat("ü", 500) + "…",
	} {
		if got := Foreign(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestBare_isOneLine(t *testing.T) {
	t.Parallel()
	if got := Bare("a\x1b[31m\r::error::"); strings.ContainsAny(got, "\x1b\r") {
		t.Errorf("%q", got)
	}
}

func FuzzForeign_isSafeToShow(f *testing.F) {
	f.Add("a\n::error::x\x1b\u202e")
	f.Fuzz(func(t *testing.T, text string) {
		once := Line(text)
		if strings.ContainsAny(once, "\n\r\t\x1b\x00\u2028\u2029\u202e\u2066") || command.MatchString(once) || oldCommand.MatchString(once) {
			t.Errorf("%q", once)
		}
		if again := Line(once); again != once {
			t.Errorf("%q is not stable: %q", once, again)
		}
	})
}
