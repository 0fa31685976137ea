"""Which flags would come and which would go under other settings or another vocabulary, over the latest stored answers.

Only reads: nothing is asked and nothing is written. Both sides are judged again, by what is in force and by what is
proposed, so that a difference stems from the change alone and not from what has changed since a run was recorded.
"""
