"""What reviewers do about flags: dismiss, assign, note, act in bulk, run again, minimise."""
