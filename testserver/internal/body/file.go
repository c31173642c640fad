package body

import "bytes"

// FileText returns the content of a text file without the byte order mark that some
// editors write at its beginning, and JSON does not allow.
func FileText(content []byte) []byte { return bytes.TrimPrefix(content, []byte("\ufeff")) }
