// Package body reads and writes JSON: request bodies strictly and field by field,
// and responses as trees. It uses only problem. HTTP beyond the content type,
// stored objects, and what only one kind of object contains must stay out.
package body
