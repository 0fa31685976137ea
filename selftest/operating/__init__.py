"""What keeps an installation running: first start, targets, keys, settings, schedule, health."""
