"""What was learnt about targets, in a memory that holds no two opposite beliefs. The engine does not know of it."""
