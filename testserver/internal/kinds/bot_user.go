package kinds

import (
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// botUser is an account member that is no person. It can own SSH credentials and API
// keys.
type botUser struct {
	identified
	Name   string `json:"name"`
	Active bool   `json:"active"`
}

const botUserTable store.TableOf[*botUser] = "bot_users"

const maxBotName = 255 // bytes

func (b *botUser) Label() string { return b.Name }

func botUsers(s *Service) engine.Collection[*botUser] {
	return engine.Collection[*botUser]{
		Path:   "/bot_users",
		Prefix: "bot_",
		Field:  "bot_users",
		Noun:   "bot user",
		Table:  botUserTable.In(s.store),
		Create: func(c *engine.Call, in *body.Object) (*botUser, error) {
			bot := &botUser{identified: newIdentified(c, in), Active: true}
			bot.read(in)
			return bot, nil
		},
		Update: func(_ *engine.Call, old *botUser, in *body.Object) *botUser {
			bot := copyOf(old)
			bot.read(in)
			return bot
		},
	}
}

// read sets the fields that a request contains.
func (b *botUser) read(in *body.Object) {
	b.Name = orExisting(in.TextUpTo("name", maxBotName), b.Name)
	in.Rule(b.Name != "", "name", "name is required")
	b.Active = orExisting(in.Flag("active"), b.Active)
}
