import {
  to = tunnel_bot_user.ci
  identity = {
    id = "bot_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
  }
}
