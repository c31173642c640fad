terraform {
  required_providers {
    tunnel = {
      source  = "tunnel-service/tunnel"
      version = "~> 0.1"
    }
  }
}

# The API key comes from TUNNEL_API_KEY in the environment, which keeps it out of
# files. The address may come from TUNNEL_BASE_URL as well.
provider "tunnel" {
  base_url = "https://api.example.com"
}
