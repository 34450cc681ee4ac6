"""Streams and events for programs that run on the CPU: torch.cuda.Stream and torch.cuda.Event as
far as they mean something where one operation follows the other.

Waiting returns at once, because what is waited for is done; an event's time is the clock's.
Nothing is started on another thread."""

import time

import torch


class Event:
    """The arguments of torch.cuda.Event are taken; only enable_timing has a meaning."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        self._enable_timing = enable_timing
        self._at = None

    def record(self, stream=None):
        self._at = time.perf_counter()

    def wait(self, stream=None):
        pass

    def synchronize(self):
        pass

    def query(self):
        return True

    def elapsed_time(self, end_event):
        """Milliseconds from this event to the other one."""
        if not (self._enable_timing and end_event._enable_timing):
            raise RuntimeError("elapsed_time needs events with enable_timing=True")
        if self._at is None or end_event._at is None:
            raise RuntimeError("elapsed_time needs events that were recorded")
        return (end_event._at - self._at) * 1000.0


class Stream:
    """All streams are the one order in which the program says things."""

    def __init__(self, device=None, priority=0, **_):
        self.device = torch.device("cpu")
        self.priority = priority

    def record_event(self, event=None):
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event):
        pass

    def wait_stream(self, stream):
        pass

    def synchronize(self):
        pass

    def query(self):
        return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def __eq__(self, other):
        return isinstance(other, Stream)

    def __hash__(self):
        return hash(Stream)


_the_stream = Stream()


def current_stream(device=None):
    return _the_stream


default_stream = current_stream
