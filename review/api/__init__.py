"""JSON for automation: the endpoints of the specification and the wider API, in one OpenAPI document."""
