"""What a demo story is made of, and the stories: `zh.toml` and `en.toml` beside this file."""

import tomllib
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from importlib.resources import files
from typing import Any

from pydantic import TypeAdapter

from ltm.models import Kind, Lang, SpeechAct, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the agent asks its memory at some moment."""

    intent: str
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A candidate that the scripted model names, sure of itself as models are."""

    turn_id: str
    quote: str
    text: str
    kind: Kind
    key: str | None = None
    value: str | None = None

    def as_reply(self) -> dict[str, Any]:
        """Return it in the schema `ltm_extract`."""
        return {**asdict(self), "speech_act": SpeechAct.STATEMENT, "confidence": 0.95}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A session, and what is looked at behind it.

    Attributes:
        title: One line above the scene.
        proposals: What the scripted model answers about these turns.
        moral: One line below it.
        questions: Asked one after the other.
        chains: Keys whose history is drawn.
        machine: Whose state is shown.
    """

    title: str
    session: str
    turns: tuple[Turn, ...]
    proposals: tuple[Proposal, ...] = ()
    moral: str = ""
    questions: tuple[Question, ...] = ()
    chains: tuple[str, ...] = ()
    machine: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The demo's own words in one language."""

    user: str
    agent: str
    model: str
    nothing_decided: str
    intent: str
    block: str
    nothing_said: str
    chain: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A demo in one language."""

    opening: str
    utc_offset_h: float
    words: Words
    scenes: tuple[Scene, ...]
    closing: str

    @property
    def zone(self) -> tzinfo:
        """Return the user's time zone."""
        return timezone(timedelta(hours=self.utc_offset_h))


def read_story(lang: Lang) -> Story:
    """Return the story in a language."""
    text = files("ltm.cli.demo").joinpath(f"{lang}.toml").read_text(encoding="utf-8")
    return TypeAdapter(Story).validate_python(tomllib.loads(text))
