"""The chat model behind its port."""

from ltm.ports import ChatModel


def make_chat_model(
    model: str, *, base_url: str | None, api_key: str | None, timeout_s: float, max_retries: int
) -> ChatModel:
    """Create a chat model without calling its server; whoever calls this closes it.

    Args:
        model: The server's name for it.
        base_url: None is OpenAI's own server.
        api_key: None only with a `base_url`.
        timeout_s: Bound on a call, retries included.
        max_retries: Attempts after the first.

    Raises:
        ConfigurationError: OpenAI's own server without a key.
    """
    # Imported here: the client takes half a second to import, which a store without a model need not wait for.
    from ltm.llm.openai_chat import OpenAIChat
    from ltm.remote import open_client

    client = open_client(base_url=base_url, api_key=api_key, timeout_s=timeout_s)
    return OpenAIChat(model, client=client, timeout_s=timeout_s, max_retries=max_retries)
