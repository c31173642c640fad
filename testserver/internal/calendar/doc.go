// Package calendar finds out what expires in an account, and when, if a pipeline plans
// and applies a configuration at certain times. It chooses the times, and says what
// changed from one plan to the next. It uses no other package of the test server. The
// server, Terraform and files must stay out: it sees them as a [World].
package calendar
