"""Calls to an OpenAI-compatible server: bounded in time, repeated where that can help, with our own errors.

The client's own retries are off, so that there is one mechanism and one bound on the whole wait.
"""

import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import TypeVar

from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, OpenAI
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, stop_before_delay

from ltm.errors import ConfigurationError, ModelError

OPENAI_URL = "https://api.openai.com/v1"
_FIRST_PAUSE_S = 0.25
_RETRYABLE_STATUS = frozenset({408, 409, 429})
_REFUSED_STATUS = frozenset({401, 403, 404})

_Answer = TypeVar("_Answer")


def open_client(*, base_url: str | None, api_key: str | None, timeout_s: float) -> OpenAI:
    """Create a client; whoever calls this closes it.

    Args:
        base_url: Up to and including `/v1`; None is OpenAI's own.
        api_key: None only with a `base_url`, for servers that ask for none.
        timeout_s: Of one request, where the call names no other.

    Raises:
        ConfigurationError: OpenAI's own server without a key.
    """
    if api_key is None and base_url is None:
        raise ConfigurationError("OpenAI's own server needs an API key; for another server give its base URL")
    # Both are always given, so that no variable of the environment sends one server's key to another.
    return OpenAI(base_url=base_url or OPENAI_URL, api_key=api_key or "none", timeout=timeout_s, max_retries=0)


def ask_server(ask: Callable[[float], _Answer], *, what: str, timeout_s: float, max_retries: int) -> _Answer:
    """Return what `ask` returns, asking again after a failure that may pass.

    Repeated are lost connections, timeouts and the statuses 408, 409, 429 and 5xx, after the server's `Retry-After` or
    else an exponential pause, as long as the pause ends within `timeout_s` of the first attempt.

    Args:
        ask: Sends one request, given the seconds that are left for it.
        what: Names server and model in errors; never a user's words.
        timeout_s: Bound on all attempts together.
        max_retries: Attempts after the first.

    Raises:
        ModelError: The last failure; `retryable` is False where asking again later cannot help.
    """
    start = time.monotonic()
    retrying = Retrying(
        retry=retry_if_exception(_may_pass),
        wait=_pause,
        stop=stop_after_attempt(max_retries + 1) | stop_before_delay(timeout_s),
        reraise=True,
    )
    try:
        return retrying(lambda: ask(max(timeout_s - (time.monotonic() - start), 0.001)))
    except APIError as error:
        raise _own_error(error, what, timeout_s) from error


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, APIStatusError):
        is_out_of_money = error.code == "insufficient_quota"
        return error.status_code >= 500 or (error.status_code in _RETRYABLE_STATUS and not is_out_of_money)
    return isinstance(error, APIConnectionError)


def _pause(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked_for = _retry_after(error.response.headers.get("retry-after")) if isinstance(error, APIStatusError) else None
    return _FIRST_PAUSE_S * 2.0 ** (state.attempt_number - 1) if asked_for is None else asked_for


def _retry_after(header: str | None) -> float | None:
    """Read seconds or an HTTP date; None where the header is missing or makes no sense."""
    if header is None:
        return None
    if header.replace(".", "", 1).isdecimal():
        return float(header)
    try:
        return max(parsedate_to_datetime(header).timestamp() - time.time(), 0.0)
    except ValueError:
        return None


def _own_error(error: APIError, what: str, timeout_s: float) -> ModelError:
    match error:
        case APITimeoutError():
            text = f"did not answer within {timeout_s:g} s"
        case APIConnectionError():
            text = "cannot be reached"
        case APIStatusError(status_code=status) if status in _REFUSED_STATUS:
            text = f"refused the request with HTTP {status}: check base URL, model name and API key"
        case APIStatusError(status_code=status):
            text = f"answered with HTTP {status}" + (f" ({error.code})" if _is_word(error.code) else "")
        case _:
            text = f"failed: {type(error).__name__}"
    own = ModelError(f"{what} {text}")
    own.retryable = _may_pass(error)
    return own


def _is_word(code: str | None) -> bool:
    """A server may put anything into its error code, a user's words included."""
    return code is not None and code.isidentifier()
