"""The story in English."""

from datetime import datetime, timedelta, timezone

from ltm.cli.demo.story import Proposal, Question, Scene, Story, Words
from ltm.models import Kind, Turn

BERLIN = timezone(timedelta(hours=1))


def _on(month: int, day: int, hour: int = 10, minute: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=BERLIN)


def _user(turn_id: str, at: datetime, text: str) -> Turn:
    return Turn(role="user", text=text, at=at, id=turn_id)


STORY = Story(
    opening=(
        "Three weeks of a job-search agent. Raw conversation in, memories out; SQLite, Qdrant in the process,\n"
        "a bundled embedder, no network. The model is a scripted stand-in (real HTTP, fixed answers), so that a\n"
        "hallucination that really happened can be played again."
    ),
    zone=BERLIN,
    words=Words(
        user="user",
        agent="agent",
        model="the model proposes",
        nothing_decided="(no candidate)",
        intent="intent",
        block="what is injected into the prompt",
        nothing_said="(nothing to inject, 0 tokens)",
        chain="chain",
        state="state machine",
    ),
    scenes=(
        Scene(
            title="Week 1 · 8 October",
            session="week-1",
            turns=(
                _user(
                    "t1", _on(10, 8), "My expected salary is 60 to 70k EUR a year, and I only want to work in Berlin"
                ),
                Turn(role="assistant", text="Got it: 60 to 70k, Berlin.", at=_on(10, 8, 10, 1), id="t2"),
                _user("t3", _on(10, 8, 10, 2), "I have 3 years of experience and a bachelor's degree"),
            ),
        ),
        Scene(
            title="Accident 1, the outburst · 15 October",
            session="week-2",
            turns=(_user("t4", _on(10, 15, 23), "ugh. I give up, nobody is ever going to hire me"),),
            proposals=(
                Proposal(
                    turn_id="t4",
                    quote="I give up",
                    text="The user has given up looking for a job",
                    kind=Kind.STATE,
                    key="job.current_status",
                    value="paused",
                ),
            ),
            moral="The model took an outburst for a statement; the gate did not.",
        ),
        Scene(
            title="Accident 2, the hallucination · 22 October",
            session="week-2b",
            turns=(_user("t5", _on(10, 22), "I am preparing for next week's interview and revising databases"),),
            proposals=(
                Proposal(
                    turn_id="t5",
                    quote="happy to work night shifts",
                    text="The user is happy to work night shifts",
                    kind=Kind.PREFERENCE,
                ),
                Proposal(
                    turn_id="t5",
                    quote="preparing for next week's interview",
                    text="The user is preparing for an interview",
                    kind=Kind.FACT,
                ),
            ),
            moral="Words that nobody said have no place in the turn: dropped. Words that were said stay.",
        ),
        Scene(
            title="Week 3 · 29 October",
            session="week-3",
            turns=(_user("t6", _on(10, 29), "Munich would be fine too, and the salary is negotiable"),),
            moral="An update overwrites nothing, it appends a version.",
            questions=(
                Question(intent="recommend me some jobs", now=_on(10, 30)),
                Question(intent="hello there", now=_on(10, 30)),
            ),
            chains=("job.target_cities",),
        ),
        Scene(
            title="Accident 3, the stale memory · 12 November",
            session="week-5",
            turns=(_user("t7", _on(11, 12), "I got hired and started my new job"),),
            moral="Being hired ends what was bound to the search, in one batch; no more jobs are offered.",
            questions=(Question(intent="recommend me some jobs", now=_on(11, 13)),),
            chains=("job.expected_salary",),
            machine="job_search",
        ),
    ),
    closing="All of it can be looked up: ltm history, ltm why, ltm recall --explain.",
)
