"""Tell every story to a `Memory` of its own."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from pydantic import SecretStr

from eval.scenarios.check import check
from eval.scenarios.play import Script, play
from eval.scenarios.results import Result
from eval.scenarios.story import Reply, Story
from eval.scripted_model import ScriptedModel, scripted_model
from ltm.commands.scratch import scratch_folder
from ltm.memory import Memory
from ltm.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class RealModel:
    """A chat model behind an OpenAI-compatible endpoint, instead of the stories' scripts."""

    url: str
    name: str
    api_key: str = "none"
    timeout_s: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How the stories are told.

    Attributes:
        model: None plays the scripts of the stories.
    """

    embedder: str
    model: RealModel | None = None


def run_stories(stories: Iterable[Story], options: Options) -> Iterator[Result]:
    """Yield each story's result, in order."""
    if options.model is not None:
        for story in stories:
            yield _run(story, _settings(story, options, options.model), lambda replies: None)
        return
    with scripted_model() as server:
        script = _scripter(server)
        model = RealModel(url=server.url, name="scripted")
        for story in stories:
            script(())
            yield _run(story, _settings(story, options, model if story.needs_model else None), script)


def _run(story: Story, settings: Settings, script: Script) -> Result:
    started = perf_counter()
    with scratch_folder() as folder, Memory.open(folder, settings=settings) as memory:
        played = play(memory, story, script)
        checked = check(memory, story)
    return Result(
        story_id=story.id,
        kind=story.kind,
        failures=(*played.failures, *checked.failures),
        turns=story.user_turns,
        polluting=checked.polluting,
        wanted=len(story.expect.active),
        missed=checked.missed,
        actions=checked.actions,
        model_calls=played.model_calls,
        seconds=perf_counter() - started,
    )


def _settings(story: Story, options: Options, model: RealModel | None) -> Settings:
    if model is None:
        return Settings(packs=story.packs, embedder=options.embedder, llm_model=None)
    return Settings(
        packs=story.packs,
        embedder=options.embedder,
        llm_model=model.name,
        llm_base_url=model.url,
        llm_api_key=SecretStr(model.api_key),
        llm_timeout_s=model.timeout_s,
    )


def _scripter(server: ScriptedModel) -> Callable[[Sequence[Reply]], None]:
    """Return what replaces the replies that are waiting; none are left over for a later step."""

    def script(replies: Sequence[Reply]) -> None:
        server.replies[:] = [_content(reply) for reply in replies]

    return script


def _content(reply: Reply) -> str:
    if reply.raw is not None:
        return reply.raw
    return json.dumps({"candidates": list(reply.candidates or ())}, ensure_ascii=False)
