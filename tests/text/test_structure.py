"""Labels, boxes, tables and threads are read as structure, however they are laid out."""

import random

import pytest

from dlp.text.answers import State
from dlp.text.reader import read_structure
from dlp.text.structure import BlockKind

ITEMS = ("asthma", "gout", "epilepsy", "migraine", "anaemia", "hepatitis", "eczema", "glaucoma")
FIRST = ("Ada", "Bram", "Cleo", "Dov", "Edda", "Finn", "Greta", "Hugo")
LAST = ("Marsh", "Ortiz", "Quill", "Rowe", "Stone", "Tarn", "Vale", "Wren")
LABELS = ("Name", "Date of birth", "Diagnosis", "Employer", "Allergies", "Next of kin", "Ward")


def name(draw):
    return f"{draw.choice(FIRST)} {draw.choice(LAST)}"


def value_of(draw, label):
    return {
        "Name": name(draw),
        "Date of birth": f"{draw.randint(1, 28)} May {draw.randint(1930, 2010)}",
        "Next of kin": name(draw),
        "Ward": str(draw.randint(1, 30)),
    }.get(label, draw.choice(ITEMS))


LAYOUTS = {
    "colon": lambda pairs: [f"{label}: {value}" for label, value in pairs],
    "bullet": lambda pairs: [f"- {label}: {value}" for label, value in pairs],
    "bold": lambda pairs: [f"**{label}:** {value}  " for label, value in pairs],
    "dotted": lambda pairs: [
        f"{label} {'.' * (30 - len(label))} {value}" for label, value in pairs
    ],
    "columns": lambda pairs: [f"{label:<22}{value}" for label, value in pairs],
    "bars": lambda pairs: [f"| {label} | {value} |" for label, value in pairs],
    "inline": lambda pairs: ["   ".join(f"{label}: {value}" for label, value in pairs)],
    "dashes": lambda pairs: [f"{label} - {value}" for label, value in pairs],
    "tabs": lambda pairs: [f"{label}\t{value}" for label, value in pairs],
    "stacked": lambda pairs: [line for label, value in pairs for line in (label, value)],
    "capitals": lambda pairs: [f"{label.upper()}: {value}" for label, value in pairs],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seed", range(8))
def test_labels_find_their_values_in_every_layout(layout, seed):
    draw = random.Random(f"{layout}{seed}")
    pairs = [(label, value_of(draw, label)) for label in draw.sample(LABELS, 5)]
    text = "Register\n\n" + "\n".join(LAYOUTS[layout](pairs)) + "\n"
    structure = read_structure(text)
    found = {structure.label_of(one).lower(): text[one.start : one.end] for one in structure.fields}
    assert found == {label.lower(): value for label, value in pairs}


STYLES = [
    ("[x]", "[ ]"),
    ("[X]", "[_]"),
    ("(x)", "( )"),
    ("☒", "☐"),
    ("☑", "☐"),
    ("■", "□"),
    ("●", "○"),
]
BARE = [("X", "_"), ("✓", "o")]
FRAMES = {
    "line": lambda items: "Tick what applies: " + "  ".join(items),
    "one blank": lambda items: "Tick what applies: " + " ".join(items),
    "lines": lambda items: "Tick what applies\n" + "\n".join(items),
    "cell": lambda items: "| Tick what applies | " + "  ".join(items) + " |",
    "dotted": lambda items: "Tick what applies ........ " + "  ".join(items),
}


@pytest.mark.parametrize("style", [*STYLES, *BARE], ids=str)
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("seed", range(4))
def test_boxes_say_which_items_hold(style, frame, seed):
    if style in BARE and frame in {"one blank", "lines"}:
        pytest.skip("bare letters are boxes only where a line holds several apart")
    draw = random.Random(f"{style}{frame}{seed}")
    items = draw.sample(ITEMS, 4)
    ticked = set(draw.sample(items, draw.randint(1, 3)))
    text = f"Name: {name(draw)}\n" + FRAMES[frame](
        [f"{style[item not in ticked]} {item}" for item in items]
    )
    structure = read_structure(text)
    states = {item: structure.state_at(text.index(item)) for item in items}
    assert states == {item: State.STATED if item in ticked else State.DENIED for item in items}


@pytest.mark.parametrize("style", [*STYLES, *BARE], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_a_list_without_a_tick_states_nothing(style, seed):
    draw = random.Random(f"{style}{seed}")
    items = draw.sample(ITEMS, 4)
    open_sign = style[1]
    if open_sign == "○":
        pytest.skip("without a filled one they are bullets")
    text = "Have you had: " + "  ".join(f"{open_sign} {item}" for item in items)
    structure = read_structure(text)
    assert {structure.state_at(text.index(item)) for item in items} == {State.UNANSWERED}


@pytest.mark.parametrize("style", BARE, ids=str)
def test_bare_letters_are_boxes_also_where_blanks_were_lost(style):
    signs = {True: style[0], False: style[1]}
    text = f"Have you had: {signs[False]} Gout {signs[True]} Asthma {signs[False]} Ulcers"
    structure = read_structure(text)
    assert structure.state_at(text.index("Asthma")) is State.STATED
    assert structure.state_at(text.index("Ulcers")) is State.DENIED
    text = f"Any history of gout? {signs[False]} Yes {signs[True]} No"
    assert read_structure(text).state_at(text.index("gout")) is State.DENIED


def test_a_ticked_none_denies_all_others():
    text = "Conditions: [ ] asthma  [ ] gout  [x] None"
    structure = read_structure(text)
    assert structure.state_at(text.index("asthma")) is State.DENIED


ANSWERS = {
    "boxes": lambda sign, yes: f"{sign[not yes]} Yes  {sign[yes]} No",
    "behind": lambda sign, yes: f"Yes {sign[not yes]}  No {sign[yes]}",
    "word": lambda _, yes: "Yes" if yes else "No",
    "letter": lambda _, yes: "Y" if yes else "N",
    "circled": lambda _, yes: "(Yes) / No" if yes else "Yes / (No)",
}
ASKED = ("Any history of {}?", "Do you suffer from {}?", "{}:", "Has a doctor told you of {}?")


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("style", STYLES[:5], ids=str)
@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_a_question_holds_as_it_is_answered(answer, style, yes, seed):
    draw = random.Random(f"{answer}{style}{yes}{seed}")
    item = draw.choice(ITEMS)
    question = draw.choice(ASKED).format(item)
    text = f"Name: {name(draw)}\n{question} {ANSWERS[answer](style, yes)}\nWard: 4\n"
    structure = read_structure(text)
    assert structure.state_at(text.index(item)) is (State.STATED if yes else State.DENIED)


@pytest.mark.parametrize(
    "blank", ["", "______", "Yes / No", "[ ] Yes [ ] No", "Y / N", "............"]
)
@pytest.mark.parametrize("item", ITEMS[:4])
def test_a_question_that_nobody_answered_states_nothing(blank, item):
    text = f"Name: ______\nAny history of {item}? {blank}\nWard: ____\n"
    structure = read_structure(text)
    assert structure.state_at(text.index(item)) in {State.UNANSWERED, None}
    if blank:
        assert structure.state_at(text.index(item)) is State.UNANSWERED


TABLES = {
    "bars": lambda rows: ["| " + " | ".join(row) + " |" for row in rows],
    "markdown": lambda rows: [
        "| " + " | ".join(rows[0]) + " |", "|" + "---|" * len(rows[0]),
        *("| " + " | ".join(row) + " |" for row in rows[1:]),
    ],
    "tabs": lambda rows: ["\t".join(row) for row in rows],
    "fixed": lambda rows: ["".join(cell.ljust(18) for cell in row).rstrip() for row in rows],
}  # fmt: skip


@pytest.mark.parametrize("layout", TABLES)
@pytest.mark.parametrize("seed", range(6))
def test_the_cells_of_a_table_are_labelled_by_its_headings(layout, seed):
    draw = random.Random(f"{layout}{seed}")
    terms = draw.sample(ITEMS, 2)
    rows = [["Name", *terms]]
    rows += [[name(draw), draw.choice("YN"), draw.choice("YN")] for _ in range(5)]
    text = "Members\n\n" + "\n".join(TABLES[layout](rows)) + "\n\nThe end.\n"
    structure = read_structure(text)
    assert len(structure.tables) == 1
    found = [
        (structure.label_of(one), text[one.start : one.end], one.state) for one in structure.fields
    ]
    states = {"Y": State.STATED, "N": State.DENIED}
    assert found == [
        (label, cell, states.get(cell))
        for row in rows[1:]
        for label, cell in zip(rows[0], row, strict=True)
    ]
    assert {structure.state_at(text.index(term)) for term in terms} == {State.UNANSWERED}


@pytest.mark.parametrize("seed", range(5))
def test_the_rows_of_a_dump_are_labelled_by_its_columns(seed):
    draw = random.Random(seed)
    rows = [(name(draw).replace("a", "''"), draw.choice("01")) for _ in range(4)]
    values = ",\n".join(f"('{who}', {flag}, NULL)" for who, flag in rows)
    text = f"-- members\nINSERT INTO members (name, asthma, note) VALUES\n{values};\nSELECT 1;\n"
    structure = read_structure(text)
    found = [(one.record, text[one.start : one.end]) for one in structure.fields]
    assert [cell for _, cell in found] == [cell for row in rows for cell in (*row, "NULL")]
    assert len({record for record, _ in found}) == len(rows)


@pytest.mark.parametrize("seed", range(5))
def test_rows_without_columns_are_labelled_by_the_table_that_was_created(seed):
    draw = random.Random(seed)
    rows = [(str(draw.randint(100, 999)), name(draw).replace("'", "''")) for _ in range(3)]
    inserts = "".join(f"INSERT INTO db.notes VALUES ({key}, '{who}');\n" for key, who in rows)
    created = "CREATE TABLE notes (id INT, `user` VARCHAR(80) NOT NULL, PRIMARY KEY (id));\n"
    structure = read_structure(created + inserts)
    text = created + inserts
    found = [(structure.label_of(one), text[one.start : one.end]) for one in structure.fields]
    assert found == [pair for key, who in rows for pair in (("id", key), ("user", who))]


def test_messages_of_a_thread_are_counted_apart():
    text = (
        "Hi Edda,\nthanks for asking.\n\n-----Original Message-----\nFrom: Edda\nSent: Monday\n"
        "To: Bram\nSubject: leave\n\nHow are you?\n\n> older words\n> of Bram\n"
    )
    structure = read_structure(text)
    places = [text.index(words) for words in ("thanks", "How are", "older")]
    messages = [structure.block_at(place).message for place in places]
    assert len(set(messages)) == 3
    assert messages == sorted(messages)


def test_sections_run_from_heading_to_heading():
    text = "HISTORY\nFell off a horse.\n\nPlan\n----\nRest.\n\n## Follow-up\nIn May.\n"
    structure = read_structure(text)
    for words, heading in (("Fell", "HISTORY"), ("Rest", "Plan"), ("In May", "## Follow-up")):
        section = structure.sections[structure.block_at(text.index(words)).section]
        assert text[section.heading_start : section.heading_end] == heading


def test_a_wrapped_paragraph_is_one_block_and_short_lines_are_several():
    line = "Edda walked along the river and thought of nothing in particular for"
    text = f"{line}\nan hour or two.\n\nAda Marsh asthma\nBram Rowe gout\n"
    blocks = read_structure(text).blocks
    assert [block.kind for block in blocks] == [BlockKind.PARAGRAPH] * 3
    assert text[blocks[0].start : blocks[0].end].endswith("or two.")


INSTRUCTIONS = (
    "Please list all medicines, for example for {}.",
    "The plan does not cover treatment of {}.",
    "NOTICE: the information may include details of {}.",
    "I understand that my records may contain information about {}.",
)


@pytest.mark.parametrize("instruction", INSTRUCTIONS)
@pytest.mark.parametrize("item", ITEMS[:3])
def test_the_printed_matter_of_a_form_states_nothing(instruction, item):
    text = f"{instruction.format(item)}\n\nName: ______\nPhone: ______\nSignature: ______\nDate:\n"
    structure = read_structure(text)
    assert structure.is_form
    assert structure.state_at(text.index(item)) is State.UNANSWERED


def test_prose_about_a_person_inside_a_form_still_stands():
    text = "Name: ____\nPhone: ____\nDate: ____\n\nShe must take her pills for asthma every day.\n"
    structure = read_structure(text)
    assert structure.is_form
    assert structure.state_at(text.index("asthma")) is None


def test_a_task_list_keeps_what_its_entries_say():
    text = "- [ ] call Edda Marsh about her asthma review\n- [x] order pens\n"
    assert read_structure(text).state_at(text.index("asthma")) is None


@pytest.mark.parametrize("seed", range(30))
def test_any_text_gives_spans_inside_it_in_order(seed):
    draw = random.Random(seed)
    signs = "ab AB:|[x] ()\t\n\n._?☐☒-,='1"
    text = "".join(draw.choices(signs, k=800))
    structure = read_structure(text)
    for spans in (structure.blocks, structure.fields, structure.states):
        assert all(0 <= one.start <= one.end <= len(text) for one in spans)
        assert [one.start for one in spans] == sorted(one.start for one in spans)
    ends = [span.end for span in structure.states]
    assert all(end <= after.start for end, after in zip(ends, structure.states[1:], strict=False))


def test_a_clinical_note_with_bare_answers_is_no_form():
    text = (
        "HISTORY\nThe cough should improve, including at night, and may be due to asthma.\n\n"
        "MEDICATIONS: None.\nALLERGIES: None known.\nSURGERY: None.\nSMOKING: No.\n"
    )
    structure = read_structure(text)
    assert not structure.is_form
    assert structure.state_at(text.index("asthma")) is None
    assert structure.state_at(text.index("ALLERGIES")) is State.DENIED


@pytest.mark.parametrize(
    "text, word",
    [
        ("Ann Lee was told she has asthma. Did you see the photographs?", "asthma"),
        ("Which dose for asthma in a 52-year-old woman, Ann Lee?", "asthma"),
    ],
)
def test_a_question_in_prose_makes_no_form(text, word):
    assert read_structure(text).state_at(text.index(word)) is None
