package api

// BotUser is an account member that is not a person. It can own SSH
// credentials and API keys.
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

// BotUsers are the bot users of the account.
var BotUsers = identified[BotUser](Kind{Noun: "bot user", Prefix: "bot_", Path: "/bot_users", ListField: "bot_users"})
