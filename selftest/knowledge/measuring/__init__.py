"""How well search finds: queries whose right answers are known, asked of an index of their own."""
