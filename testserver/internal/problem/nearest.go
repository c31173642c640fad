package problem

import "strings"

// Nearest returns the end of a message about an unknown word, such as ", did you mean
// lag?", or an empty string if no known word is near.
func Nearest(word string, known []string) string {
	const most = 200 // bytes to compare, which is quadratic
	if word == "" || len(word) > most {
		return ""
	}
	best, least := "", 1+len(word)/3
	for _, candidate := range known {
		if d := distance(word, candidate); d <= least {
			best, least = candidate, d-1
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}

// distance returns how many letters differ, or are in only one of two words.
func distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			differs := 1
			if a[i] == b[j] {
				differs = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+differs)
		}
	}
	return row[len(b)]
}
