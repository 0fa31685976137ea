"""JSON for automation: the calls of the specification and the wider API, of which one OpenAPI document tells."""
