package testserver

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
)

var update = flag.Bool("update", false, "rewrite openapi.yaml")

// documented is a collection in openapi.yaml. Its paths, its list schema and
// the parameter before_id follow from its names; the other schemas are written
// by hand.
type documented struct {
	kinds.Names
	tag   string // API or Parents
	inUse bool   // other objects can refer to an object, so that DELETE can return 409
}

// documentedCollections returns the collections with pages. What does not follow
// from a name is as openapi.yaml says; a new collection is one of the parents
// that can be in use.
func documentedCollections() []documented {
	var all []documented
	for _, names := range kinds.Collections() {
		k := documented{names, "Parents", true}
		if k.Prefix == "" || k.Field == "" {
			continue
		}
		if one := document().Paths.Value(k.Path + "/{id}"); one != nil {
			k.tag, k.inUse = one.Delete.Tags[0], one.Delete.Responses.Value("409") != nil
		}
		all = append(all, k)
	}
	return all
}

// TestContract_collections checks that the paths of all collections have the
// same form. With -update, it adds the paths of a new collection.
func TestContract_collections(t *testing.T) {
	text := string(OpenAPI)
	for _, k := range documentedCollections() {
		for _, part := range []struct{ first, end, begin, before string }{
			{"\n  /bot_users:\n", "\n  /event_destinations:\n", "\n  " + k.Path + ":\n", "\ncomponents:\n"},
			{"\n    BeforeIdBotUser:\n", "\n    BeforeIdEventDestination:\n", "\n    BeforeId" + k.name() + ":\n", "\n  responses:\n"},
			{"\n    BotUserList:\n", "\n    EventDestinationList:\n", "\n    " + k.name() + "List:\n", "\n    EventSource:\n"},
		} {
			want := k.likeBotUser(part.first, part.end)
			switch {
			case strings.Contains(text, want):
			case *update && !strings.Contains(text, part.begin):
				text = strings.Replace(text, part.before, "\n"+want+part.before[1:], 1)
			default:
				t.Errorf("openapi.yaml must contain this text; if it contains nothing of %s yet, run this test with -update:\n%s", k.Path, want)
			}
		}
	}
	if text != string(OpenAPI) {
		if err := os.WriteFile("openapi.yaml", []byte(text), 0o644); err != nil { //nolint:gosec // the contract is public
			t.Fatal(err)
		}
	}
}

func (k documented) nouns() string {
	if stem, found := strings.CutSuffix(k.Noun, "y"); found && !strings.HasSuffix(stem, "e") { // but API keys
		return stem + "ies"
	}
	if strings.HasSuffix(k.Noun, "s") {
		return k.Noun + "es"
	}
	return k.Noun + "s"
}

func (k documented) name() string { return inCapitals(k.Noun) }

// inCapitals returns a noun as the name of a schema, such as TLSCertificate.
func inCapitals(noun string) string {
	name := ""
	for word := range strings.FieldsSeq(noun) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

const conflict = "        \"409\": { $ref: \"#/components/responses/Conflict\" }\n"

// likeBotUser returns a part of what openapi.yaml says of bot users, with the names of
// another collection.
func (k documented) likeBotUser(begin, end string) string {
	_, text, _ := strings.Cut(string(OpenAPI), begin)
	text, _, _ = strings.Cut(text, end)
	text = begin[1:] + text + "\n"
	article := "a "
	if strings.ContainsRune("aAeioHS", rune(k.Noun[0])) {
		article = "an "
	}
	if !k.inUse {
		text = strings.Replace(text, conflict, "", 1)
	}
	return strings.NewReplacer("/bot_users", k.Path, "^bot_[", "^"+k.Prefix+"[", "[Parents]", "["+k.tag+"]", "bot_users", k.Field,
		"a bot user", article+k.Noun, "BotUsers", inCapitals(k.nouns()), "BotUser", k.name(), "bot users", k.nouns(), "bot user", k.Noun).Replace(text)
}
