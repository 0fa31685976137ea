"""The shapes of static/shapes.svg that stand for no check."""

# The shapes of static/shapes.svg that stand for no check.
KEPT, WAITING, ASKING, STOPPED, AWAY = "kept", "waiting", "asking", "stopped", "away"
