"""The chat model against a real server that does what servers do."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from eval.scripted_model import RawReply, Reply, ScriptedModel, chat_completion, scripted_model
from ltm.errors import ConfigurationError, ModelError
from ltm.llm.openai_chat import OpenAIChat
from ltm.ports import ChatModel, ChatReply
from ltm.remote import open_client

SCHEMA = {"type": "object", "properties": {"candidates": {"type": "array", "items": {"type": "object"}}}}
REFUSED = RawReply(status=400, body=json.dumps({"error": {"message": "no response_format: secret words"}}))


@contextmanager
def served(*replies: Reply, timeout_s: float = 5.0, max_retries: int = 2) -> Iterator[tuple[ChatModel, ScriptedModel]]:
    """Return a chat model whose server answers as given."""
    with scripted_model(replies) as server:
        client = open_client(base_url=server.url, api_key="key", timeout_s=timeout_s)
        model = OpenAIChat("m", client=client, timeout_s=timeout_s, max_retries=max_retries)
        yield model, server
        model.close()
        model.close()


def ask(model: ChatModel) -> ChatReply:
    """Ask for candidates."""
    return model.complete(system="extract", user="secret words", schema_name="ltm_extract", schema=SCHEMA)


def formats(server: ScriptedModel) -> list[str | None]:
    """Return what each request asked the answer to be."""
    return [request.body.get("response_format", {}).get("type") for request in server.requests]


def test_the_request_is_deterministic_and_carries_the_schema() -> None:
    """Temperature 0, both messages, the schema under its name, the key in the header."""
    with served({"candidates": []}) as (model, server):
        reply = ask(model)

    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer key"
    assert request.body["model"] == "m"
    assert request.body["temperature"] == 0
    assert [(said["role"], said["content"]) for said in request.body["messages"]] == [
        ("system", "extract"),
        ("user", "secret words"),
    ]
    assert request.body["response_format"]["json_schema"] == {"name": "ltm_extract", "schema": SCHEMA, "strict": True}
    assert reply == ChatReply(text='{"candidates": []}', tokens=120)


def test_a_server_without_schemas_is_asked_for_an_object_from_then_on() -> None:
    """The refusal is remembered: it costs one request, once."""
    with served(REFUSED, "first", "second") as (model, server):
        assert [ask(model).text, ask(model).text] == ["first", "second"]
        assert formats(server) == ["json_schema", "json_object", "json_object"]


def test_a_server_that_fails_over_a_format_is_asked_for_another() -> None:
    """An internal error that names the format is a refusal; any other one says nothing about formats."""
    fault = {"error": {"message": "1 validation error: {'loc': ('body', 'response_format', 'type')}"}}
    with served(RawReply(status=500, body="no memory left"), RawReply(status=500, body=json.dumps(fault)), "first") as (
        model,
        server,
    ):
        assert ask(model).text == "first"
        assert formats(server) == ["json_schema", "json_schema", "json_object"]


def test_a_server_without_any_format_is_asked_for_text() -> None:
    """Then the prompt alone asks for JSON."""
    with served(REFUSED, REFUSED, "first", "second") as (model, server):
        assert [ask(model).text, ask(model).text] == ["first", "second"]
        assert formats(server) == ["json_schema", "json_object", None, None]


def test_a_request_that_is_refused_in_every_format_is_an_error_that_teaches_nothing() -> None:
    """It was another fault, so the next request asks for the schema again; the error repeats no words of a user."""
    with served(REFUSED, REFUSED, REFUSED, "fine") as (model, server):
        with pytest.raises(ModelError, match="HTTP 400") as caught:
            ask(model)
        assert ask(model).text == "fine"
        assert formats(server)[-1] == "json_schema"

    assert not caught.value.retryable
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (chat_completion(None, reasoning_content="thought"), "thought"),
        (chat_completion("", reasoning="thought"), "thought"),
        (chat_completion("said", reasoning_content="thought"), "said"),
        (chat_completion(None), ""),
        (chat_completion("```json\n{"), "```json\n{"),
    ],
)
def test_the_reply_is_what_was_said_or_else_thought(body: str, text: str) -> None:
    """Some servers put the answer of a reasoning model there; an empty answer is an empty text."""
    with served(RawReply(body=body)) as (model, _):
        assert ask(model).text == text


def test_unreported_usage_counts_nothing() -> None:
    """Servers need not count tokens."""
    body = json.dumps({"choices": [{"message": {"content": "x"}}]})

    with served(RawReply(body=body)) as (model, _):
        assert ask(model) == ChatReply(text="x", tokens=0)


def test_a_passing_failure_is_asked_again() -> None:
    """The second answer counts."""
    with served(RawReply(status=503, body="busy"), "fine") as (model, _):
        assert ask(model).text == "fine"


def test_without_retries_the_first_failure_is_the_last() -> None:
    """The number of attempts is the caller's."""
    with served(RawReply(status=503, body="busy"), "fine", max_retries=0) as (model, server):
        with pytest.raises(ModelError, match="HTTP 503") as caught:
            ask(model)
        assert len(server.requests) == 1

    assert caught.value.retryable


def test_a_server_that_hangs_costs_the_timeout_once() -> None:
    """The bound holds for all attempts together."""
    with served(RawReply(delay_s=30), timeout_s=0.5) as (model, _):
        start = time.monotonic()
        with pytest.raises(ModelError, match="did not answer within"):
            ask(model)

        assert time.monotonic() - start < 2


@pytest.mark.parametrize(
    "reply",
    [
        RawReply(body="<html>busy</html>", headers={"Content-Type": "text/html"}),
        RawReply(body='{"choices": []}'),
        RawReply(body='{"choices": [{"mess'),
        RawReply(body='{"error": {"message": "no"}}'),
        RawReply(body="null"),
        RawReply(body=""),
        RawReply(status=302, headers={"Location": "http://127.0.0.1:9/"}),
    ],
    ids=["html", "no choice", "cut", "error", "null", "empty", "elsewhere"],
)
def test_what_is_no_completion_is_a_model_error(reply: RawReply) -> None:
    """Garbage never gets past the port as anything else."""
    with served(reply, max_retries=0) as (model, _), pytest.raises(ModelError):
        ask(model)


def test_openai_itself_needs_a_key() -> None:
    """Without one the configuration is at fault, not the model."""
    with pytest.raises(ConfigurationError, match="API key"):
        open_client(base_url=None, api_key=None, timeout_s=1)


def test_a_script_that_has_ended_says_nothing_to_remember() -> None:
    """So a story may leave calls unscripted."""
    with served() as (model, _):
        assert json.loads(ask(model).text) == {"candidates": []}
