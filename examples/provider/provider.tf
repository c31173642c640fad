terraform {
  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1.0"
    }
  }
}

# The API key is read from the environment variable TUNNEL_API_KEY. base_url can also
# be set with TUNNEL_BASE_URL.
provider "tunnel" {
  base_url = "https://api.example.com"
}
