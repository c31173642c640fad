package api

// APIKey is an API key of the account.
type APIKey struct { //nolint:revive // the name of the object
	Object
	OwnerID string `json:"owner_id"` // a user or bot user
	Token   string `json:"token"`    // in the response to its creation only
}

// APIKeyCreate is the body that creates an API key. Without OwnerID, the caller is the
// owner.
type APIKeyCreate struct { //nolint:revive // the name of the object
	Details
	OwnerID string `json:"owner_id,omitempty"`
}

// APIKeys are the API keys of the account.
var APIKeys = identified[APIKey](Kind{Noun: "API key", Prefix: "ak_", Path: "/api_keys", ListField: "keys", Secret: true})
