"""Lines are cut up by the sign that most of them agree on, however quickly that is told."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dlp.decode.identify import DELIMITERS, delimiter_of, outside_quotes

LINES = st.lists(
    st.one_of(st.text('a",;|\t', max_size=8), st.sampled_from(["a,b,c", "x\ty", "p;q;r", '"a,b"'])),
    min_size=1,
    max_size=25,
)


def counted(lines, agreement):
    """As it is defined: every sign, every line."""
    best, most = "", 0
    bare = [outside_quotes(line) for line in lines]
    for sign in DELIMITERS:
        count, agreeing = Counter(line.count(sign) for line in bare).most_common(1)[0]
        enough = count >= 2 or (count == 1 and sign == "\t")
        if enough and agreeing >= agreement * len(lines) and count > most:
            best, most = sign, count
    return best


@given(LINES, st.sampled_from([0.6, 0.95, 1.0]))
def test_the_sign_is_the_one_that_counting_everything_gives(lines, agreement):
    assert delimiter_of(lines, agreement) == counted(lines, agreement)
