"""The faults of the zoo: functions by the stage that they get wrong, and the table of them all."""
