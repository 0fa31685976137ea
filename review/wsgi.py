"""What gunicorn serves, in each of its processes."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "review.settings")
application = get_wsgi_application()

from selftest.operating.notices.notifier import stand_in  # noqa: E402 - needs what the line above has loaded

stand_in()
