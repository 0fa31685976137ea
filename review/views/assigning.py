"""The person that a form assigns something to."""

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest

from review.roles import reviewers
from review.views.pages import Request


def chosen_assignee(request: Request) -> User | None:
    """None for no one. Raises BadRequest for a name that is unknown, or that may not review."""
    name = request.POST.get("assignee", "")
    if not name:
        return None
    assignee = reviewers().filter(username=name).first()
    if assignee is None:
        raise BadRequest(f"assignee: {name!r} may not review, or is unknown")
    return assignee
