"""Stand before every call to the kernel and the journal, and let the n-th one go wrong."""

OWN = frozenset({"close"})


class Crash(BaseException):
    """The process is dead: nothing may catch this, and no later call reaches the disk."""


class Saboteur:
    """Wrap several objects; they share one count. `error` None: crash, else raise it once."""

    def __init__(self, at, error=None, *, after=False):
        self.at = at
        self.error = error
        self.after = after  # crash once the call has had its effect
        self.calls = 0
        self.dead = False
        self.where = ""

    def __call__(self, thing):
        return Wrapped(thing, self)

    def meet(self, name):
        """True: this is the call that goes wrong."""
        if self.dead:
            raise Crash
        self.calls += 1
        if self.calls != self.at:
            return False
        self.where = name
        if self.error is not None:
            raise self.error
        self.dead = True
        if not self.after:
            raise Crash
        return True


class Wrapped:
    def __init__(self, thing, saboteur):
        self._thing = thing
        self._saboteur = saboteur

    def __getattr__(self, name):
        real = getattr(self._thing, name)
        if not callable(real) or name in OWN:
            return real

        def watched(*args, **kwargs):
            last = self._saboteur.meet(name)
            result = real(*args, **kwargs)
            if last:
                raise Crash
            return result

        return watched
