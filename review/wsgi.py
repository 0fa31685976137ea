"""What gunicorn serves. It is loaded once, before the processes that serve are forked, and its memory is theirs all."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.template import engines
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "review.settings")
application = get_wsgi_application()

if "gunicorn" in os.environ.get("SERVER_SOFTWARE", ""):  # which it sets; the server of a test must write no notice
    from selftest.operating.notices.notifier import stand_in

    # All of which the first page would load in each process:
    get_resolver().url_patterns  # noqa: B018 - every view
    engines["django"]  # every tag
    os.register_at_fork(after_in_child=stand_in)  # a thread does not survive the fork
    gc.collect()
    gc.freeze()  # what is never looked through again stays shared
