package api

// BotUser is an account member that is no person. It can own SSH credentials.
type BotUser struct {
	Identified
	Name   string `json:"name"`
	Active *bool  `json:"active"` // nil means true
}

// BotUserBody is the body that creates or updates a bot user.
type BotUserBody struct {
	Name   string `json:"name"` // at most 255 bytes
	Active bool   `json:"active"`
}

// BotUsers is the collection at /bot_users.
type BotUsers = Collection[BotUser]

// BotUserKind names bot users.
var BotUserKind = newKind(Kind{Noun: "bot user", Prefix: "bot_", Path: "/bot_users", ListField: "bot_users"})

var botUsers = objects(kind[BotUser]{Kind: BotUserKind})

// BotUsers returns the account's bot users.
func (c *Client) BotUsers() *BotUsers { return collection(c, botUsers) }
