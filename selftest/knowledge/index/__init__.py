"""The index: pieces as rows, with what each database finds them by. Only this room reads and writes its tables."""
