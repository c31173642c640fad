# All event destinations that write to the service's own log.
data "tunnel_event_destinations" "all" {}

output "debug_destinations" {
  value = [for d in data.tunnel_event_destinations.all.event_destinations : d.id if try(d.target.debug.log == true, false)]
}
