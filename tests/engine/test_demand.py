"""What loads on demand: one thing by name, or all of them."""

from dlp.lazy_resources import Shelf


def test_filling_loads_also_what_comes_with_another_thing():
    shelf, loaded = Shelf(), []

    def first():
        loaded.append("first")
        shelf.put("second", lambda: loaded.append("second"))

    shelf.put("first", first)
    shelf.fill()
    assert loaded == ["first", "second"]
    shelf.fill()
    assert loaded == ["first", "second"]
