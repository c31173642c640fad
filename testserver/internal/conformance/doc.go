// Package conformance derives valid and invalid requests from an OpenAPI document,
// for every route and field, sends them to a service, and compares each response with
// what the document says. It is a user of the contract: it knows a base URL and keys,
// and makes all objects that it needs through the API. The test server must stay out.
package conformance
