"""Write the lecturer's own page: what the projector must not show, in a window of its own.

It has round one before round two is over, the sentences to pick from, and where slides have lost
somebody.
"""

from collections.abc import Mapping

from .follow import deliver
from .pages import write
from .results import chart, plural
from .store import Store


def desk_page(store: Store, key: str, phones: int) -> str:
    """Return the page as it stands; it reloads itself."""
    poll = store.poll
    lost = [(number, store.titles[number], len(who)) for number, who in sorted(store.lost.items())]
    return write(
        "desk.html",
        "For the lecturer alone",
        code=store.code,
        look=f"/{store.code}/desk/{key}",
        page_state="desk",
        follow=True,
        poll=poll,
        chart=chart(poll) if poll else "",
        said=store.said,
        phones=plural(phones, "phone"),
        store=store,
        lost=[row for row in lost if row[2]],
    )


def act(store: Store, fields: Mapping[str, list[str]]) -> None:
    """Do what a button of the page asks for; anything else does nothing."""
    match {name: values[0] for name, values in fields.items()}:
        case {"show": device}:
            store.pick(device, True)
        case {"hide": device}:
            store.pick(device, False)
        case {"why": wanted}:
            store.ask_why(wanted == "yes")
        case {"follow": wanted}:
            store.follow(wanted == "yes")
            deliver()
        case {"takehome": _}:
            from .takehome import write_takehome  # it takes a while, and is seldom wanted

            try:
                store.said = f"Written: {write_takehome(store.name, store.path.parent)}"
            except (OSError, ValueError) as error:
                store.said = str(error)
