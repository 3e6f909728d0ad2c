"""From conversation to memory: gather, propose, and write in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ltm.errors import InvalidRequestError
from ltm.models import Decision, Owner, Role, Turn, WriteReceipt
from ltm.packs import PackSet
from ltm.ports import ChatModel, Clock, Head, NewVersion, Store, UnitOfWork
from ltm.write.audit import failed, redacted, refused_turns, silent_turns, unwritten
from ltm.write.extract_llm import Answered, extract_llm
from ltm.write.hearing import hear, is_worth_asking
from ltm.write.holding import confirm, hold, hold_again, reject, take_held
from ltm.write.policy import Policy
from ltm.write.proposal import Proposal, evidence_of
from ltm.write.proposing import propose
from ltm.write.stages import Scene
from ltm.write.storing import FollowStatement, Saying, Storing
from ltm.write.turns import check_turns, seen_turns, sort_turns
from ltm.write.word_index import WordIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What was done, and which memories' points have to follow.

    Attributes:
        touched: Their heads, by memory id.
    """

    receipt: WriteReceipt
    touched: Mapping[str, Head]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """What is known before the transaction begins."""

    turns: Sequence[Turn]
    scene: Scene
    proposals: Sequence[Proposal]
    answers: Sequence[Answered]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """Turns dialogue into decisions.

    Attributes:
        words: The lexicons of the packs, from `index_words`.
        model: None reads with the rules only.
        follow: Takes the step of a state machine that a statement reports.
        context_turns: Turns that are shown to the model in one call.
    """

    store: Store
    packs: PackSet
    words: WordIndex
    clock: Clock
    follow: FollowStatement
    model: ChatModel | None = None
    context_turns: int = 8
    policy: Policy = field(default_factory=Policy)

    def observe(self, owner: Owner, turns: Sequence[Turn], *, session_id: str | None) -> Observed:
        """Read the turns that are new and write what they teach, all of it or nothing.

        The model is asked before the transaction begins, and only about turns that were not observed before.

        Raises:
            InvalidRequestError: A turn is not acceptable; nothing was read.
            StoreUnavailableError: The store did not answer; nothing was written.
        """
        started = self.clock.monotonic()
        checked = check_turns(turns, session_id, self.clock.now())
        gathered = self._gather(owner, checked, session_id)

        def work(unit: UnitOfWork) -> tuple[tuple[Decision, ...], Mapping[str, Head]]:
            return self._write(unit, gathered, session_id), unit.touched

        decisions, touched = self.store.transact(owner, work) if checked else ((), {})
        receipt = WriteReceipt(
            decisions=decisions,
            model_calls=len(gathered.answers),
            tokens=sum(answer.tokens for answer in gathered.answers),
            seconds=self.clock.monotonic() - started,
        )
        return Observed(receipt=receipt, touched=touched)

    def confirm(self, unit: UnitOfWork, pending_id: str) -> str:
        """Write a held candidate as true from now on, and return the memory that it became part of.

        Raises:
            MemoryNotFoundError: Nothing is held under this id.
            InvalidRequestError: There is nothing to write: what it denies is not stored, or its state machine does not
                allow the state it names.
        """
        decisions = unit.add_decisions([redacted(decision) for decision in confirm(pending_id, self._storing(unit))])
        if decisions[0].memory_id is None:
            raise InvalidRequestError(f"{pending_id!r} changes nothing now ({decisions[0].reason}); reject it")
        return decisions[0].memory_id

    def reject(self, unit: UnitOfWork, pending_id: str) -> None:
        """Drop a held candidate; said again, it is held anew.

        Raises:
            MemoryNotFoundError: Nothing is held under this id.
        """
        unit.add_decisions([redacted(reject(pending_id, self._storing(unit)))])

    def hold_again(self, unit: UnitOfWork, content: NewVersion) -> None:
        """Let what was remembered wait again; for whoever takes back what made it enough."""
        hold_again(content, self._storing(unit), self.policy)

    def _storing(self, unit: UnitOfWork) -> Storing:
        return Storing(unit=unit, packs=self.packs, clock=self.clock, follow=self.follow)

    def _gather(self, owner: Owner, turns: Sequence[Turn], session_id: str | None) -> _Heard:
        new = self._new_turns(owner, turns, session_id)
        heard = hear(turns, new, session_id, self.words)
        others = [turn for turn in turns if turn.id not in heard]
        scene = Scene(packs=self.packs, words=self.words, policy=self.policy, heard=heard, others=others)
        answers: list[Answered] = []
        if self.model is not None:
            ids = frozenset(item.turn_id for item in heard.values() if is_worth_asking(item))
            shown = [turn for turn in turns if turn.id not in heard or not heard[str(turn.id)].reading.is_injection]
            answers = extract_llm(shown, ids, packs=self.packs, model=self.model, size=self.context_turns)
        return _Heard(turns=turns, scene=scene, proposals=propose(scene, answers), answers=answers)

    def _new_turns(self, owner: Owner, turns: Sequence[Turn], session_id: str | None) -> Sequence[str]:
        """Return the user turns worth reading: with a model, only those that were not observed before."""
        users = [str(turn.id) for turn in turns if turn.role == Role.USER]
        if self.model is None or session_id is None or not users:
            return users
        with self.store.unit(owner) as unit:
            new = sort_turns(turns, session_id, unit).new
            unit.discard()
        return new

    def _write(self, unit: UnitOfWork, gathered: _Heard, session_id: str | None) -> tuple[Decision, ...]:
        """Decide about everything again under the lock: another writer may have been here meanwhile."""
        sorted_ = sort_turns(gathered.turns, session_id, unit)
        new = frozenset(sorted_.new)
        proposals = [item for item in gathered.proposals if _is_due(item, new)]
        storing = self._storing(unit)
        storing.prefetch([item.candidate for item in proposals])
        decisions = [decision for item in proposals for decision in self._decide(item, storing)]
        decisions += refused_turns(sorted_, session_id, unit.now)
        decisions += silent_turns(gathered.scene, proposals, new, unit.now)
        decisions += failed(gathered.answers, new, session_id, unit.now)
        unit.add_turns(seen_turns(gathered.turns, sorted_.new, session_id))
        places = {str(turn.id): place for place, turn in enumerate(gathered.turns)}
        decisions.sort(key=lambda decision: places.get(decision.turn_id or "", len(places)))
        return unit.add_decisions([redacted(decision) for decision in decisions])

    def _decide(self, proposal: Proposal, storing: Storing) -> list[Decision]:
        heard, candidate = proposal.heard, proposal.candidate
        if heard is None or (proposal.reason is not None and not proposal.is_held):
            return [unwritten(proposal, storing.unit.now)]
        saying = Saying(
            candidate=candidate,
            at=heard.at,
            session_id=heard.session_id,
            evidence=(evidence_of(heard, candidate),),
            context=heard.context,
            pack=proposal.pack,
        )
        if proposal.reason is not None:
            return hold(saying, proposal.reason, storing, self.policy)
        return storing.write(replace(saying, sightings=take_held(saying, storing)))


def _is_due(proposal: Proposal, new: frozenset[str]) -> bool:
    """Tell whether the turn is still to be read; what stands in none of them is told with the rest."""
    return bool(new) if proposal.heard is None else proposal.heard.turn_id in new
