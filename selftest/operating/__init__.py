"""What runs an installation: first start, targets, keys, settings, schedule, health."""
