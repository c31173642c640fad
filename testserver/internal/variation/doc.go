// Package variation contains what else a service may answer where the API
// documentation leaves it open: quirks vary the form of each response, and the
// normalizer changes the values in all of them. It works on JSON trees and their
// schemas, and uses only body. Requests, stored objects and kinds must stay out: it
// knows values by the names of fields and schemas, so that a new kind varies too.
package variation
