package calendar

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// WriteICS writes a calendar in the format of RFC 5545. An event of an object that is
// expired lasts until it is not; other events have no duration. The same calendar has the
// same bytes.
func (c *Calendar) WriteICS(out io.Writer) error {
	var b strings.Builder
	line := func(format string, arguments ...any) { b.WriteString(fold(fmt.Sprintf(format, arguments...))) }
	line("BEGIN:VCALENDAR")
	line("VERSION:2.0")
	line("PRODID:-//tunnel-testserver//calendar//EN")
	for i, entry := range c.Entries {
		begin := entry.At
		if entry.Kind == Expired {
			begin = entry.Since
		}
		summary := group{entry}.line(c.From)
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s %s", i, stamp(entry.At), entry.Kind, summary))
		line("BEGIN:VEVENT")
		line("UID:%s@tunnel-testserver", hex.EncodeToString(sum[:16]))
		line("DTSTAMP:%s", stamp(c.From))
		line("DTSTART:%s", stamp(begin))
		if entry.Kind == Expired && entry.Until.After(begin) {
			line("DTEND:%s", stamp(entry.Until))
		}
		line("SUMMARY:%s", escape(summary))
		line("CATEGORIES:%s", strings.ToUpper(string(entry.Kind)))
		line("TRANSP:TRANSPARENT")
		line("END:VEVENT")
	}
	line("END:VCALENDAR")
	_, err := io.WriteString(out, b.String())
	return err
}

// stamp returns a time in UTC.
func stamp(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

// escape escapes a text.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r", "", "\n", `\n`).Replace(text)
}

// maxLine is the maximum length of a line in bytes, without its end.
const maxLine = 75

// fold ends a line, and breaks it if it is too long: the next one begins with a space.
func fold(text string) string {
	var b strings.Builder
	length := 0
	for _, r := range text {
		if size := utf8.RuneLen(r); length+size > maxLine {
			b.WriteString("\r\n ")
			length = 1
		}
		b.WriteRune(r)
		length += utf8.RuneLen(r)
	}
	b.WriteString("\r\n")
	return b.String()
}
