package acctest

import "strings"

// FileTexts returns the forms in which editors and programs write the same text file.
func FileTexts(text string) map[string]string {
	const mark = "\ufeff"
	windows := strings.ReplaceAll(text, "\n", "\r\n")
	return map[string]string{
		"byte order mark": mark + text, "CRLF": windows, "both": mark + windows, "no line end": strings.TrimRight(text, "\n"),
	}
}
