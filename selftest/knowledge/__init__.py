"""Search over what is known: documentation, operations, checks of the installation, causes and findings."""
