package kinds

import (
	"crypto/rand"
	"net/http"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// apiKey is an API key that a client has created. Only the response to its creation
// shows the token.
type apiKey struct {
	common
	OwnerID string `json:"owner_id"`
	Token   string `json:"token"`
}

const apiKeyTable store.TableOf[*apiKey] = "api_keys"

// TokenPrefix begins the tokens of API keys, so that they are found in any text.
const TokenPrefix = "apitoken_"

func (k *apiKey) Unique() string   { return k.Token }
func (k *apiKey) Refers() []string { return []string{k.OwnerID} }

func apiKeys(s *Service) engine.Collection[*apiKey] {
	return engine.Collection[*apiKey]{
		Path:   "/api_keys",
		Prefix: "ak_",
		Field:  "keys",
		Noun:   "API key",
		Table:  apiKeyTable.In(s.store),
		Refers: []string{"/bot_users"},
		Create: func(c *engine.Call, in *body.Object) (*apiKey, error) {
			key := &apiKey{common: newCommon(c, in), Token: TokenPrefix + rand.Text() + rand.Text()}
			var err error
			key.OwnerID, err = s.readOwner(c, in, "an API key")
			return key, err
		},
		Update: updated[apiKey],
		View: func(c *engine.Call, uri string, key *apiKey) any {
			var token *string
			if c.Request.Method == http.MethodPost {
				token = &key.Token
			}
			return struct {
				URI string `json:"uri"`
				*apiKey
				Token *string `json:"token"`
			}{uri, key, token}
		},
	}
}

// Caller returns the owner of the API key with a token. The key of a bot user that is not
// active identifies nobody.
func (s *Service) Caller(token string) (owner string, ok bool) {
	id, ok := apiKeyTable.In(s.store).Holder(token)
	if !ok || token == "" {
		return "", false
	}
	key, ok := apiKeyTable.In(s.store).Get(id)
	if !ok {
		return "", false
	}
	bot, isBot := botUserTable.In(s.store).Get(key.OwnerID)
	return key.OwnerID, !isBot || bot.Active
}
