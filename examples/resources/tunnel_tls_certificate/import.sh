# Import ID: the ID of the object. The private key of the certificate is not needed.
terraform import tunnel_tls_certificate.www cert_3YNt0gWyXbJ2sKmP9vQfLhRcTde
