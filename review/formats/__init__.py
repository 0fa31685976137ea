"""How Django writes dates and times: a module for each language. The pages' own times are in templatetags/words.py."""
