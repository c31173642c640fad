import {
  to = tunnel_bot_user.ci
  id = "bot_3YNt0gWyXbJ2sKmP9vQfLhRcTde"
}
