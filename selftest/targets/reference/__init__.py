"""The bundled reference target: a real, small search router with faults that can be switched on."""
