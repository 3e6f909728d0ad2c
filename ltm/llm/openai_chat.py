"""Chat completions from an OpenAI-compatible server."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from openai import APIStatusError, OpenAI
from pydantic import BaseModel, ValidationError

from ltm.errors import ModelError
from ltm.ports import ChatReply
from ltm.remote import ask_server

_REFUSED_STATUS = frozenset({400, 422})


class AnswerFormat(StrEnum):
    """How a server is asked for JSON, the most binding way first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"


class _Message(BaseModel):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(BaseModel):
    message: _Message


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Answer(BaseModel):
    choices: list[_Choice]
    usage: _Usage | None = None


class OpenAIChat:
    """Asks `/chat/completions` at temperature 0; owns its client.

    A server that refuses JSON schemas is asked for a JSON object, then for plain text, and the first format that it
    took is used from then on.
    """

    def __init__(self, model: str, *, client: OpenAI, timeout_s: float, max_retries: int) -> None:
        self._model = model
        self._client = client
        self._timeout_s = timeout_s
        self._max_retries = max_retries
        self._formats = tuple(AnswerFormat)
        self._what = f"chat model {model} at {client.base_url.host}"

    def complete(self, *, system: str, user: str, schema_name: str, schema: Mapping[str, Any]) -> ChatReply:
        """Ask once; the reply is the content, or the reasoning of a model that put its answer there.

        Each format that is tried has `timeout_s` for itself.
        """
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        formats = self._formats
        for position, answer_format in enumerate(formats):
            request: dict[str, Any] = {"messages": messages, **_response_format(answer_format, schema_name, schema)}
            content = self._ask(request, is_last=position == len(formats) - 1)
            if content is not None:
                self._formats = formats[position:]
                return self._read(content)
        raise AssertionError("the last format raises where it is refused")

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _ask(self, request: Mapping[str, Any], *, is_last: bool) -> bytes | None:
        """Return the answer's body, or None where the server refuses the request and another format is left."""

        def send(timeout_s: float) -> bytes | None:
            try:
                return self._client.chat.completions.with_raw_response.create(
                    model=self._model, temperature=0, timeout=timeout_s, **request
                ).content
            except APIStatusError as error:
                if is_last or not _refuses_format(error):
                    raise
                return None

        return ask_server(send, what=self._what, timeout_s=self._timeout_s, max_retries=self._max_retries)

    def _read(self, content: bytes) -> ChatReply:
        try:
            answer = _Answer.model_validate_json(content)
        except ValidationError as error:
            raise ModelError(f"{self._what} answered with something that is no chat completion") from error
        if not answer.choices:
            raise ModelError(f"{self._what} answered with no choice")
        message, usage = answer.choices[0].message, answer.usage or _Usage()
        return ChatReply(
            text=message.content or message.reasoning_content or message.reasoning or "",
            tokens=(usage.prompt_tokens or 0) + (usage.completion_tokens or 0),
        )


def _refuses_format(error: APIStatusError) -> bool:
    """Tell a request that the server does not take from a failure that has nothing to do with it.

    llama-cpp-python's server reports a format that it does not know as an internal error, naming the field.
    """
    return error.status_code in _REFUSED_STATUS or "response_format" in error.response.text


def _response_format(answer_format: AnswerFormat, name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    match answer_format:
        case AnswerFormat.JSON_SCHEMA:
            wanted = {"name": name, "schema": dict(schema), "strict": True}
            return {"response_format": {"type": answer_format, "json_schema": wanted}}
        case AnswerFormat.JSON_OBJECT:
            return {"response_format": {"type": answer_format}}
        case AnswerFormat.TEXT:
            return {}
