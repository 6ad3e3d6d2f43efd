"""The language model read by ourselves: its tokens, its network and its moves, without its library.

In: sentences.  Out: the spans it calls people and places.

spaCy takes half a second to import and load, and a share asks it a dozen sentences. What it does
with one is arithmetic on five small matrices; it stands here in numpy. The library is still what
this is checked against, and what reads any other model (docs/adr/0009).
"""
