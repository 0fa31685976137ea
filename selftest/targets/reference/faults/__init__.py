"""The mistakes that can be switched on: functions by the step that they get wrong, and the table of them all."""
