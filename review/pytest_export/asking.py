"""The function `ask` of an exported test: one request to the target, and its Answer. Pure: values in, Python out."""

from review.pytest_export.context import KEY_VARIABLE, ExportContext


def ask_function(context: ExportContext) -> list[str]:
    """Its lines. It fails where there is no usable answer."""
    return _calling(context) if context.is_python else _posting(context)


def _calling(context: ExportContext) -> list[str]:
    target = context.target
    return [
        "def ask(text, source='auto'):",
        f"    route = pkgutil.resolve_name({target.dotted_path!r})",
        "    started = time.perf_counter()",
        "    result, source_used = route(text, source)",
        "    latency_ms = (time.perf_counter() - started) * 1000",
        f"    assert latency_ms <= {target.time_limit_s * 1000:g}, f'no answer in time: {{latency_ms:.0f}} ms'",
        "    return Answer(result, source_used, latency_ms)",
    ]


def _posting(context: ExportContext) -> list[str]:
    key = f", 'X-API-Key': os.environ[{KEY_VARIABLE!r}]" if context.has_key else ""
    started = [f"# First: {context.serving}"] if context.serving else []
    return [
        *started,
        "def ask(text, source='auto'):",
        f"    headers = {{'Content-Type': 'application/json', 'X-Selftest': '1'{key}}}",
        f"    body = json.dumps({{{context.field('query')!r}: text, {context.field('source')!r}: source}})",
        f"    with httpx.Client(timeout={context.target.time_limit_s:g}, trust_env=False) as client:",
        "        started = time.perf_counter()",
        f"        response = client.post({context.url!r}, content=body, headers=headers)",
        "        latency_ms = (time.perf_counter() - started) * 1000",
        "    assert response.is_success, f'HTTP {response.status_code}: {response.text[:200]}'",
        f"    is_failed = field_of(response, {context.field('success')!r}) is False",
        f"    assert not is_failed, field_of(response, {context.field('error')!r})",
        f"    result = field_of(response, {context.field('result')!r})",
        f"    source_used = field_of(response, {context.field('source_used')!r})",
        f"    cached = field_of(response, {context.field('cached')!r}) is True",
        "    assert isinstance(result, str) and isinstance(source_used, str), response.text[:200]",
        "    return Answer(result, source_used, latency_ms, response.status_code, cached)",
        "",
        "",
        "def field_of(response, path):",
        "    value = response.json()",
        "    for name in path.split('.'):",
        "        value = value.get(name) if isinstance(value, dict) else None",
        "    return value",
    ]
