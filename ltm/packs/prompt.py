"""Prompts as data: Markdown with front matter, filled by `string.Template`."""

from dataclasses import dataclass
from string import Template

from ltm.errors import InvalidRequestError, PackError


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One prompt.

    Attributes:
        name: What `PackSet.prompt` takes.
        version: Moves with the wording, so that a decision can be traced to the prompt that was sent.
        variables: Names that the body uses; the front matter must declare exactly these.
        body: The text with `$variable` places; `$$` is a dollar sign.
    """

    name: str
    version: str
    variables: tuple[str, ...]
    body: str

    def render(self, **values: str) -> str:
        """Fill every place.

        Raises:
            InvalidRequestError: A variable is missing, or one is given that the prompt does not have.
        """
        missing = sorted(set(self.variables) - set(values))
        unknown = sorted(set(values) - set(self.variables))
        if missing or unknown:
            raise InvalidRequestError(f"prompt {self.name!r}: missing {missing}, unknown {unknown}")
        return Template(self.body).substitute(values)


def check_prompt(prompt: Prompt, *, where: str) -> Prompt:
    """Return the prompt if its body uses exactly the variables that it declares.

    Raises:
        PackError: They differ, or a `$` is neither a variable nor doubled.
    """
    template = Template(prompt.body)
    if not template.is_valid():
        raise PackError(f"{where}: a '$' that is no variable; write '$$' for a dollar sign")
    used = set(template.get_identifiers())
    if used != set(prompt.variables):
        raise PackError(f"{where}: key 'variables' has {sorted(prompt.variables)}, the text uses {sorted(used)}")
    return prompt
