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
		for _, part := range []struct{ template, begin, before string }{
			{collectionPaths, "\n  " + k.Path + ":\n", "\ncomponents:\n"},
			{collectionParameter, "\n    BeforeId" + k.name() + ":\n", "\n  responses:\n"},
			{collectionList, "\n    " + k.name() + "List:\n", "\n    EventSource:\n"},
		} {
			want := k.fill(part.template)
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

// fill returns a template with the values of a collection.
func (k documented) fill(template string) string {
	article := "a "
	if strings.ContainsRune("aAeioHS", rune(k.Noun[0])) {
		article = "an "
	}
	if !k.inUse {
		template = strings.Replace(template, conflict, "", 1)
	}
	return strings.NewReplacer("PATH", k.Path, "PREFIX", k.Prefix, "TAG", k.tag, "FIELD", k.Field,
		"ARTICLE", article+k.Noun, "NAMES", inCapitals(k.nouns()), "NAME", k.name(), "NOUNS", k.nouns(), "NOUN", k.Noun).Replace(template)
}

const conflict = "        \"409\": { $ref: \"#/components/responses/Conflict\" }\n"

const collectionParameter = `    BeforeIdNAME:
      name: before_id
      in: query
      description: Return the objects that come after the object with this id in the list.
      schema: { type: string, pattern: "^PREFIX[A-Za-z0-9_.-]*$" }
`

const collectionList = `    NAMEList:
      type: object
      required: [FIELD, uri, next_page_uri]
      properties:
        FIELD: { type: array, items: { $ref: "#/components/schemas/NAME" } }
        uri: { $ref: "#/components/schemas/Uri" }
        next_page_uri: { $ref: "#/components/schemas/NextPageUri" }
`

const collectionPaths = `  PATH:
    parameters:
      - $ref: "#/components/parameters/ServiceVersion"
    post:
      operationId: createNAME
      summary: Create ARTICLE
      description: Create ARTICLE.
      tags: [TAG]
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/NAMECreate" }
      responses:
        "201":
          description: The new NOUN.
          headers:
            Tunnel-Operation-Id: { $ref: "#/components/headers/OperationId" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/NAME" }
        "400": { $ref: "#/components/responses/BadRequest" }
        "401": { $ref: "#/components/responses/Unauthorized" }
        "403": { $ref: "#/components/responses/Forbidden" }
        "413": { $ref: "#/components/responses/TooLarge" }
        "415": { $ref: "#/components/responses/NotJSON" }
        "429": { $ref: "#/components/responses/TooManyRequests" }
    get:
      operationId: listNAMES
      summary: List NOUNS
      description: List NOUNS.
      tags: [TAG]
      parameters:
        - $ref: "#/components/parameters/Limit"
        - $ref: "#/components/parameters/BeforeIdNAME"
      responses:
        "200":
          description: A page of NOUNS.
          headers:
            Tunnel-Operation-Id: { $ref: "#/components/headers/OperationId" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/NAMEList" }
        "400": { $ref: "#/components/responses/BadRequest" }
        "401": { $ref: "#/components/responses/Unauthorized" }
        "403": { $ref: "#/components/responses/Forbidden" }
        "429": { $ref: "#/components/responses/TooManyRequests" }
  PATH/{id}:
    parameters:
      - $ref: "#/components/parameters/ServiceVersion"
      - $ref: "#/components/parameters/Id"
    get:
      operationId: getNAME
      summary: Read ARTICLE
      description: Read ARTICLE.
      tags: [TAG]
      responses:
        "200":
          description: The NOUN.
          headers:
            Tunnel-Operation-Id: { $ref: "#/components/headers/OperationId" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/NAME" }
        "400": { $ref: "#/components/responses/BadRequest" }
        "401": { $ref: "#/components/responses/Unauthorized" }
        "403": { $ref: "#/components/responses/Forbidden" }
        "404": { $ref: "#/components/responses/NotFound" }
        "429": { $ref: "#/components/responses/TooManyRequests" }
    patch:
      operationId: updateNAME
      summary: Update ARTICLE
      description: Update ARTICLE.
      tags: [TAG]
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/NAMEUpdate" }
      responses:
        "200":
          description: The whole NOUN after the update.
          headers:
            Tunnel-Operation-Id: { $ref: "#/components/headers/OperationId" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/NAME" }
        "400": { $ref: "#/components/responses/BadRequest" }
        "401": { $ref: "#/components/responses/Unauthorized" }
        "403": { $ref: "#/components/responses/Forbidden" }
        "404": { $ref: "#/components/responses/NotFound" }
        "413": { $ref: "#/components/responses/TooLarge" }
        "415": { $ref: "#/components/responses/NotJSON" }
        "429": { $ref: "#/components/responses/TooManyRequests" }
    delete:
      operationId: deleteNAME
      summary: Delete ARTICLE
      description: Delete ARTICLE.
      tags: [TAG]
      responses:
        "204": { $ref: "#/components/responses/Deleted" }
        "400": { $ref: "#/components/responses/BadRequest" }
        "401": { $ref: "#/components/responses/Unauthorized" }
        "403": { $ref: "#/components/responses/Forbidden" }
        "404": { $ref: "#/components/responses/NotFound" }
        "409": { $ref: "#/components/responses/Conflict" }
        "429": { $ref: "#/components/responses/TooManyRequests" }
`
