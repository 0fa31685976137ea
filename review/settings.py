"""Django's settings: from the environment, and those that are the same everywhere."""

import logging
import sys
from datetime import timedelta
from pathlib import Path

from csp.constants import NONE, SELF

from review.environment import read_environment

BASE_DIR = Path(__file__).resolve().parent.parent
ENVIRONMENT = read_environment(is_examined=sys.argv[1:2] == ["doctor"])

DEBUG = ENVIRONMENT.debug
SECRET_KEY = ENVIRONMENT.secret_key
SECRET_KEY_FALLBACKS = list(ENVIRONMENT.secret_key_fallbacks)
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(ENVIRONMENT.csrf_trusted_origins)
ROOT_URLCONF = "review.urls"
WSGI_APPLICATION = "review.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "selftest.apps.SelftestConfig",
    "selftest.findings.apps.FindingsConfig",
    "selftest.evaluation.apps.EvaluationConfig",
    "selftest.knowledge.apps.KnowledgeConfig",
    "review.apps.ReviewConfig",
    "whitenoise.runserver_nostatic",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "django_filters",
    "django_q",
    "ninja",
    "simple_history",
    "solo",
    "axes",
]

MIDDLEWARE = [
    "review.api.errors.OneErrorShapeMiddleware",  # outermost: it gives the errors of all others their shape
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "review.views.sign_in.BusyMiddleware",
    "axes.middleware.AxesMiddleware",  # innermost: its page instead of a form still gets all headers above
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "review.appearance.look",
            ],
        },
    }
]

DATABASES = {"default": dict(ENVIRONMENT.database)}

# Other processes read the cluster's heartbeat from this cache, so it is never in the memory of one.
CACHES = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": ENVIRONMENT.redis_url}
        if ENVIRONMENT.redis_url
        else {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cache"}
    )
}

# After this, a cycle sends no more requests. With a minute of waiting for its turn and the longest time limit of one
# answer, ten minutes, it stays below the cluster's timeout.
CYCLE_BUDGET_S = 900.0
Q_CLUSTER = {
    "name": "gadfly",
    "workers": 2,
    "timeout": 1800,  # a worker that hangs is killed
    "retry": 2100,  # a task is delivered again after this; above the timeout
    "max_attempts": 1,  # a cycle that died is not repeated: the next one takes over
    "ack_failures": True,
    "catch_up": False,  # one cycle after a night switched off, not eight
    "save_limit": 250,
    "guard_cycle": 2,
    "poll": 1,
    # A worker that took more ends after its task, and a new one takes its place: Python gives little back. In KB; in
    # bytes on macOS.
    "max_rss": 320_000 * (1024 if sys.platform == "darwin" else 1),
    "label": "Worker",
    **({"redis": ENVIRONMENT.redis_url} if ENVIRONMENT.redis_url else {"orm": "default"}),
}

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",  # refuses before a password is checked
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_HASHERS = ["review.password_hashing.LimitedPBKDF2PasswordHasher"]  # Django's own, few at once
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "inbox"
LOGOUT_REDIRECT_URL = "sign-in"
# Passwords, on the pages and in the admin: this many failures of a name from an address lock that pair.
# How many lock the address, review/login_throttling.py says.
AXES_HANDLER = "review.login_throttling.TwoLimitsHandler"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # the page promises a time
AXES_CLIENT_IP_CALLABLE = "review.login_throttling.client_address"
AXES_LOCKOUT_CALLABLE = "review.views.sign_in.locked"
AXES_DISABLE_ACCESS_LOG = True  # successful sign-ins are not recorded
AXES_ENABLE_ADMIN = False  # its rows are not for editing; `manage.py axes_reset_username` removes a lock
AXES_VERBOSE = False
# A failed attempt is kept with its form, and "password" alone is left out of that by itself.
AXES_SENSITIVE_PARAMETERS = ["old_password", "new_password1", "new_password2", "password1", "password2"]

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]  # the API of search alone speaks other languages: review/localisation.py
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = "review.formats"  # 24 hours and the zone, in the admin as on the pages

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # served from the source folders: no collectstatic

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True  # forms carry the token
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_REDIRECT_EXEMPT = ["^health$", "^metrics$"]  # programs ask for these, and not by way of the proxy
if ENVIRONMENT.https:
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_SSL_REDIRECT = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # Whether other subdomains have HTTPS, and the domain is in the browsers' lists, is up to whose domain it is.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

ADVERSARIAL_TEST_ENABLED = ENVIRONMENT.enabled  # false overrides the settings in the admin
ADVERSARIAL_TEST_FIRST_TUNING = dict(ENVIRONMENT.first_tuning)
SNAPSHOT_STALE_GRACE_MULTIPLIER = ENVIRONMENT.stale_grace_multiplier
API_KEYS = ENVIRONMENT.api_keys
TARGET_URL = ENVIRONMENT.target_url
TARGET_API_KEY = ENVIRONMENT.target_api_key
TARGET_VOCABULARY = ENVIRONMENT.target_vocabulary
PYTHON_TARGETS = ENVIRONMENT.python_targets
TARGET_PRIVATE = ENVIRONMENT.target_private
API_DESCRIBED = "review.urls.api"  # whose description search finds operations by; the engine imports no page
METRICS = ENVIRONMENT.metrics
# Of the links in notices. `start` names the address that it listens at, where the environment says nothing.
PUBLIC_URL = ENVIRONMENT.linked_url or "http://127.0.0.1:8000"


def _without_traceback(record: logging.LogRecord) -> bool:
    record.exc_info = None
    return True


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "fmt": "{levelname}{name}{message}{cycle}{run}",
            "style": "{",
            "rename_fields": {"levelname": "level", "name": "logger"},
            "timestamp": "at",
        },
    },
    "filters": {
        "without_traceback": {"()": "django.utils.log.CallbackFilter", "callback": _without_traceback},
        "one_line_per_fault": {"()": "review.log_lines.OneLinePerFault"},
        "work_in_hand": {"()": "review.log_lines.WorkInHand"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": ENVIRONMENT.log_format,
            "filters": ["one_line_per_fault", "work_in_hand"],
        }
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "httpx": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},  # of the client of language models
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {
            "filters": ["without_traceback"]
        },  # scanners of the internet: one line is enough
        "axes": {"level": "WARNING"},
        # Their lines may hold the address of a channel, which is secret; what of them counts is in its deliveries.
        "apprise": {"level": "WARNING", "propagate": False},
        "urllib3": {"level": "CRITICAL"},
        "django-q": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "gunicorn.error": {"handlers": ["stderr"], "propagate": False},  # at the level that it was started with
    },
}
