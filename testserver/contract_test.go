package testserver

import "testing"

func TestDocumentIsValid(t *testing.T) { document() }
