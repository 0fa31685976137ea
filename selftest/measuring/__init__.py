"""How well the engine detects: planted faults found, healthy routers accused."""
