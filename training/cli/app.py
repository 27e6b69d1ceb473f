"""The command line, `buck`. Each command imports what it needs when it runs, so that help and `rules` stay quick."""

from __future__ import annotations

import atexit
import inspect
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from cyclopts import App, CycloptsError, Group, Parameter

from buck_env import BuckError, __version__
from training.cli import export, learn, look, measure, play, understand, web
from training.cli.panels import PanelsAfter, agent_panels
from training.cli.terminal import file_error, line

__all__ = ["main", "run"]

_COMMANDS: dict[str, dict[str, Callable[..., Any]]] = {
    "Look": {"rules": look.show_rules, "verify": look.verify, "replay": look.replay},
    "Play": {"play": play.play, "bot": play.bot, "serve": web.serve, "site": web.site},
    "Learn": {"train": learn.train, "ppo": learn.ppo, "exploit": learn.exploit, "sweep": learn.sweep},
    "Measure": {
        "tournament": measure.tournament,
        "evaluate": measure.evaluate,
        "scores": measure.scores,
        "bench": measure.bench,
    },
    "Understand": {"analyse": understand.analyse, "label": understand.label},
    "Export": {"export": export.export, "check": export.check, "dataset": export.dataset},
}
"""The commands by group, in the order of the first help page."""

_EXTRAS = {
    "torch": "train",
    "jinja2": "train",
    "tensorboard": "train",
    "matplotlib": "train",
    "scipy": "train",
    "pyarrow": "train",
    "choix": "train",
    "threadpoolctl": "train",
    "onnx": "onnx",
    "onnxruntime": "onnx",
    "stable_baselines3": "sb3",
    "sb3_contrib": "sb3",
    "minari": "minari",
    "h5py": "minari",
    "fastapi": "web",
    "fastapi_offline": "web",
    "starlette": "web",
    "uvicorn": "web",
}
"""The extra that brings a package."""


def _app() -> App:
    app = App(
        name="buck",
        help="Buck Euchre for reinforcement learning: rules, play, training, tournaments and bots.\n\n"
        "Example: `buck train demo`, then `buck tournament demo`. `buck COMMAND --help` explains a command.",
        version=f"buck {__version__}",
        help_format="plaintext",
        default_parameter=Parameter(negative=()),
        group_commands=Group("Help", sort_key=len(_COMMANDS)),
    )
    for place, (title, commands) in enumerate(_COMMANDS.items()):
        formatter = PanelsAfter(agent_panels) if title == "Export" else None
        group = Group(title, sort_key=place, help_formatter=formatter)
        for order, (name, command) in enumerate(commands.items()):
            app.command(command, name=name, group=group, sort_key=order, help=_reflowed(inspect.getdoc(command) or ""))
    app.register_install_completion_command(help="Complete commands and options in this shell (bash, zsh or fish).")
    return app


def _reflowed(text: str) -> str:
    """A text whose paragraphs are a line each, for the terminal to break where it ends."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code.

    It is 0 when all is well, 1 after an error of the input, 2 after an error of usage, 130 after ctrl-C. Errors are
    printed on stderr as one line.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # a request to end is a ctrl-C
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    tokens = sys.argv[1:] if arguments is None else arguments
    try:
        if not tokens:
            return _fail("a command is needed; buck --help lists them", 2)
        command, bound, _ = _app().parse_args(measure.with_ray_address(tokens), exit_on_error=False, print_error=False)
        command(*bound.args, **bound.kwargs)
        sys.stdout.flush()
        return 0
    except CycloptsError as error:
        return _fail(str(error), 2)
    except BuckError as error:
        return _fail(str(error))
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get(error.name or "")
        if extra is None:
            raise
        return _fail(
            f"this command needs {error.name}, which the extra {extra} brings: pip install 'buck-euchre-rl[{extra}]', "
            f"or in a clone of the project .venv/bin/pip install -e '.[{extra}]'"
        )
    except BrokenPipeError:  # who read has gone: nor is there anyone for what a flush at the end would write
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(file_error(error))
    except MemoryError as error:
        return _fail(f"not enough memory: {error}; ask for less at once")
    except KeyboardInterrupt:
        print("\nbuck: stopped", file=sys.stderr)
        return 130


def _fail(text: str, code: int = 1) -> int:
    print(f"buck: {line(text)}", file=sys.stderr)
    return code


def _hide_repeated(failed: threading.ExceptHookArgs) -> None:
    """Print what ended a thread, unless it is an OSError.

    One of the thread that writes the logs is raised again where they are written to, and printed there.
    """
    if not issubclass(failed.exc_type, OSError):
        threading.__excepthook__(failed)


def run() -> None:
    """The program `buck`. After ctrl-C or an error it ends at once: threads may be in the midst of something."""
    threading.excepthook = _hide_repeated
    code = main()
    if code:
        atexit._run_exitfuncs()  # programs that play are ended
        with suppress(OSError):  # a full disk has been reported
            sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    run()
