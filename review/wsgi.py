"""What gunicorn serves, in each of its processes."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "review.settings")
application = get_wsgi_application()

if "gunicorn" in os.environ.get("SERVER_SOFTWARE", ""):  # which it sets; the server of a test must write no notice
    from selftest.operating.notices.notifier import stand_in

    stand_in()
