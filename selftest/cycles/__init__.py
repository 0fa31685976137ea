"""One cycle: plan, sample, ask, examine, record, end; who runs it, and its statistics."""
