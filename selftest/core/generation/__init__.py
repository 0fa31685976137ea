"""From a vocabulary to queries that were never asked. Pure."""
