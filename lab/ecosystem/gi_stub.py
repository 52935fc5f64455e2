"""Stands in for PyGObject where the machine has none: names resolve, and nothing plays.

The public SDK imports GObject and GStreamer when it is imported, also for a robot without media. With this module
`import reachy_mini` works there; everything but media behaves as with the real one.
"""

import sys
import types


class _Anything(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = _Anything(name, (_Stub,), {})
        setattr(cls, name, value)
        return value

    def __or__(cls, other):
        return cls

    def __ror__(cls, other):
        return cls

    def __int__(cls):
        return 0


class _Stub(metaclass=_Anything):
    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: None


class _Namespace(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = _Anything(name, (_Stub,), {})
        setattr(self, name, value)
        return value


def require_version(namespace, version):
    """Every version is there, since none is."""


repository = _Namespace("gi.repository")
for _name in ("GLib", "GObject", "Gio", "Gst", "GstApp", "GstPbutils", "GstSdp", "GstWebRTC"):
    _module = _Namespace(f"gi.repository.{_name}")
    sys.modules[_module.__name__] = _module
    setattr(repository, _name, _module)
sys.modules["gi.repository"] = repository
sys.modules["gi.overrides"] = _Namespace("gi.overrides")
