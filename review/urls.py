"""Which path leads to which page."""

from django.conf import settings
from django.contrib import admin
from django.urls import path
from django.views.generic import RedirectView

from review.api import urls as api_urls
from review.views import combination, cycles, queue, run, sign_in, toasts

urlpatterns = [
    path("", queue.queue, name="queue"),
    path("combinations/<int:pk>", combination.combination, name="combination"),
    path("combinations/<int:pk>/dismiss", combination.dismiss, name="dismiss"),
    path("combinations/<int:pk>/undismiss", combination.undismiss, name="undismiss"),
    path("cycles", cycles.cycles, name="cycles"),
    path("cycles/run", cycles.run_cycle, name="run-cycle"),
    path("cycles/<int:pk>", cycles.cycle, name="cycle"),
    path("runs/<int:pk>", run.run, name="run"),
    path("runs/<int:pk>/answer.txt", run.answer, name="answer"),
    path("toasts/close", toasts.close, name="close-toast"),
    path("sign-in", sign_in.sign_in, name="sign-in"),
    path("sign-out", sign_in.sign_out, name="sign-out"),
    path("admin/", admin.site.urls),
    # Browsers ask for it on pages that name no icon, as the admin's do.
    path("favicon.ico", RedirectView.as_view(url=f"/{settings.STATIC_URL.strip('/')}/favicon.svg", permanent=True)),
    path("", api_urls),
]
