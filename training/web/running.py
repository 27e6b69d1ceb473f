"""The service as a process: it listens, answers, and finishes what was begun before it ends."""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import uvicorn
from threadpoolctl import threadpool_limits

from buck_env.base.errors import BuckError
from training.web.app import make_app
from training.web.bots import Bots
from training.web.guard import guarded
from training.web.limits import Limits

__all__ = ["run_service"]


def run_service(
    bots: Bots, limits: Limits, host: str, port: int, *, site: Path | None = None, origins: Sequence[str] = ()
) -> None:
    """Serve until ctrl-C or SIGTERM; port 0 takes a free one. BuckError where the address cannot be listened at."""
    listener = _listener(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}"
    hosts = {"localhost", "127.0.0.1", "::1", host} if _is_loopback(host) else None
    app = guarded(make_app(bots, limits, site=site), limits, hosts, origins)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=max(1, round(limits.seconds)),
    )
    print(f"{', '.join(bots.agents)}: {address} (what can be asked: {address}/docs); ctrl-C ends it", flush=True)
    try:
        with threadpool_limits(1):  # a network is small: more threads would wait for one another
            uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:  # raised again by uvicorn once all is answered
        pass
    finally:
        listener.close()
    print("buck: the service has ended; what was begun was answered", file=sys.stderr)


def _listener(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, OverflowError) as error:
        raise BuckError(f"--host {host} --port {port}: cannot be listened at: {error}; give another") from None


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
