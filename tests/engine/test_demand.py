"""What loads on demand: one thing by name, or all of them."""

from dlp.lazy_resources import ResourceRegistry


def test_filling_loads_also_what_comes_with_another_thing():
    registry, loaded = ResourceRegistry(), []

    def first():
        loaded.append("first")
        registry.put("second", lambda: loaded.append("second"))

    registry.put("first", first)
    registry.fill()
    assert loaded == ["first", "second"]
    registry.fill()
    assert loaded == ["first", "second"]
