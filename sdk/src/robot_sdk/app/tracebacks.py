"""Prints an uncaught error with the frames of the app only, without those of runpy and of this package."""

from __future__ import annotations

import sys
import threading
import traceback
from types import TracebackType

from robot_sdk.errors import DaemonLostError, MoveError, StopRequestedError
from robot_sdk.package_folder import PACKAGE_FOLDER

# Errors that this package raises on purpose: their message is enough. Frames of others help to find a defect of it.
EXPECTED = (ValueError, RuntimeError, TimeoutError, FileNotFoundError, ConnectionError, MoveError)


def print_app_tracebacks() -> None:
    """Makes uncaught errors, also those of threads, show the app's own frames.

    Keeps hooks that the app has installed.
    """
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _print_error
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = _print_thread_error


def _print_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    report = traceback.TracebackException(kind, error, trace)
    _keep_app_frames(report, isinstance(error, EXPECTED))
    print("".join(report.format()), end="", file=sys.stderr, flush=True)


def _print_thread_error(details: threading.ExceptHookArgs) -> None:
    error = details.exc_value
    # A stop or a lost daemon ends the app, and the main thread reports it.
    if error is None or isinstance(error, (SystemExit, StopRequestedError, DaemonLostError)):
        return
    name = details.thread.name if details.thread is not None else "unknown"
    print(f"Exception in thread {name}:", file=sys.stderr)
    _print_error(details.exc_type, error, details.exc_traceback)


def _keep_app_frames(report: traceback.TracebackException, is_expected: bool) -> None:
    """Removes the frames before the app's `run`, and those of this package at the end of an expected error."""
    frames = list(report.stack)
    starts = [index for index, frame in enumerate(frames) if frame.filename.startswith(PACKAGE_FOLDER)]
    # The last frame of this package before the app's code is that of wrapped_run, which calls run.
    first = next((index for index in starts if _is_app_frame(frames, index + 1)), None)
    kept = frames[first + 1 :] if first is not None else [frame for frame in frames if not _is_launcher(frame)]
    while is_expected and len(kept) > 1 and kept[-1].filename.startswith(PACKAGE_FOLDER):
        kept.pop()
    report.stack[:] = kept
    for other in (report.__cause__, report.__context__):
        if other is not None:
            _keep_app_frames(other, is_expected)


def _is_app_frame(frames: list[traceback.FrameSummary], index: int) -> bool:
    return index < len(frames) and not frames[index].filename.startswith(PACKAGE_FOLDER)


def _is_launcher(frame: traceback.FrameSummary) -> bool:
    return frame.filename.startswith("<frozen runpy>") or frame.filename.endswith("/runpy.py")
