"""Knowledge tests judge answers, not the speed of a busy machine."""

from hypothesis import settings

settings.register_profile("knowledge", deadline=None)
settings.load_profile("knowledge")
