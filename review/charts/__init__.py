"""What the charts draw: numbers in, places in a drawing and words out. Pure: no Django, no database, no clock.

Widths are percentages and heights pixels, so that a chart follows the page's width while its text and marks keep
their size: a scaled viewBox would shrink both on a phone. Only the sparkline, which never grows, has a viewBox.
"""
