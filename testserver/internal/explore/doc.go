// Package explore judges what is left when an apply or another command is interrupted: it
// names the requests, plans the interruptions, compares accounts and states, and
// reports. It uses no other package of the test server. The server, Terraform, processes
// and files must stay out: it sees requests, exports of an account, states and messages.
package explore
