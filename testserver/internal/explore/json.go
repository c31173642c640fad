package explore

import (
	"encoding/json"
	"io"
)

// jsonReport is the JSON form of a report.
type jsonReport struct {
	Command       []string      `json:"command"`
	Changes       int           `json:"changes"`
	Requests      int           `json:"requests"`
	Total         int           `json:"total"`
	Seconds       float64       `json:"seconds"`
	Classes       map[Class]int `json:"classes"`
	Interruptions []jsonFound   `json:"interruptions"`
}

type jsonFound struct {
	Request      string   `json:"request"`
	Interruption Kind     `json:"interruption"`
	Class        Class    `json:"class"`
	Resources    []string `json:"resources"`
	Applies      int      `json:"applies"` // until the plan was empty
	Imports      []Import `json:"imports"`
	Left         []Object `json:"left"`
	Unplanned    []string `json:"unplanned"`
	Missing      []string `json:"missing"`
	TornState    bool     `json:"torn_state"`
	Failure      string   `json:"failure,omitempty"`
	Repeat       string   `json:"repeat"`
}

// WriteJSON writes a report for programs.
func (r *Report) WriteJSON(out io.Writer) error {
	whole := jsonReport{
		Command: r.Command, Changes: r.Changes, Requests: r.Requests, Total: r.Total, Seconds: r.Duration.Seconds(),
		Classes: map[Class]int{}, Interruptions: []jsonFound{},
	}
	for _, f := range r.Found {
		whole.Classes[f.Class()]++
		one := jsonFound{
			Request: f.At.String(), Interruption: f.Kind, Class: f.Class(), Resources: f.Resources(), Imports: []Import{},
			Left: []Object{}, Unplanned: []string{}, Missing: append([]string{}, f.Missing...), TornState: f.TornState,
			Repeat: r.Repeat(f.Interruption),
		}
		if f.Naive != nil {
			best := f.best()
			one.Applies, one.Failure = best.Applies, best.Failure
			one.Imports, one.Left = append(one.Imports, best.Imports...), append(one.Left, best.Left...)
			one.Unplanned = append(one.Unplanned, best.Unplanned...)
		}
		whole.Interruptions = append(whole.Interruptions, one)
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(whole)
}
