package attribute

import "strings"

// FileText returns the content of a text file without the byte order mark that some
// editors write at its beginning. It is for texts in which the mark means nothing:
// documents and keys. Line ends are left to their grammars, which accept all of them.
func FileText(content string) string { return strings.TrimPrefix(content, "\ufeff") }
