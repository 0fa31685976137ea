"""What was typed beside a verdict that was refused: kept with the session until the next page with that form."""

from django.http import HttpRequest

KEY = "typed"
FIELDS = ("reason", "link", "until_date", "until_new_flags", "until_other_version")


def keep(request: HttpRequest) -> None:
    """The fields of the form that was sent just now."""
    request.session[KEY] = {name: request.POST[name] for name in FIELDS if request.POST.get(name)}


def take(request: HttpRequest) -> dict[str, str]:
    """What was kept, once; empty where nothing was refused."""
    return dict(request.session.pop(KEY)) if KEY in request.session else {}
