"""The target against itself: what holds between one answer and another. Pure generators that want probes.

Each yields what it would have asked, is sent the answers, and decides over them; nothing here asks anyone.
"""
