# Import ID: the ID of the object.
terraform import tunnel_bot_user.ci bot_3YNt0gWyXbJ2sKmP9vQfLhRcTde
