"""What each template may use: one dataclass per page and partial, made from rows. Nothing here asks the database."""
