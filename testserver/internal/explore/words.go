package explore

// Words are the words of a report.
type Words struct {
	head    string // for the numbers of interruptions, changes and requests
	classes map[Class]string
	until   string // before what was missing
}

// Apply are the words for an apply of Terraform.
var Apply = &Words{
	head: "%d interruptions of an apply with %d changes and %d requests:\n",
	classes: map[Class]string{
		Unplanned:  "change or delete something that the plan does not name",
		Never:      "never converge: the plan is not empty after three more applies",
		Unnamed:    "leave an object that no state holds and no message names",
		Named:      "leave an object that no state holds, and that a message names or says may exist",
		Imported:   "end with an error that names an import; after it and another apply, all is as planned",
		Again:      "end with an error or a kill; apply again, and all is as planned",
		Harmless:   "do not matter: the apply ends as planned",
		NotReached: "did not happen: the request did not come in this run",
	},
	until: "\nUntil the next apply:\n",
}

// Program are the words for another command.
var Program = &Words{
	head: "%d interruptions of a command with %d changed objects and %d requests:\n",
	classes: map[Class]string{
		Unplanned:  "change or delete something that an undisturbed run does not",
		Never:      "never converge: after three more runs, the command fails, or an object is missing or different",
		Unnamed:    "leave an object that an undisturbed run does not leave, and that no output names",
		Named:      "leave an object that an undisturbed run does not leave, and that the output names",
		Again:      "end with an error or a kill; run it again, and all is as after an undisturbed run",
		Harmless:   "do not matter: the command ends as without them",
		NotReached: "did not happen: the request did not come in this run",
	},
	until: "\nUntil the next run:\n",
}
