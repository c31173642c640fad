# The import id is the id of the object. Its private key is not needed.
terraform import tunnel_tls_certificate.www cert_3YNt0gWyXbJ2sKmP9vQfLhRcTde
