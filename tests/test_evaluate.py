"""The measures are the paper's, to the printed digit, and every mistake is listed with its stage."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dlp.cli.main import main
from dlp.errors import ConfigError
from dlp.evaluate import THRESHOLDS, Share, evaluate, read_labels


def record(container):
    return {
        "container": container,
        "reason": "why",
        "duplicate_of": None,
        "trail": ["s"],
        "gaps": [],
    }


def share_of(files, leaks, found, alarms):
    labels = {f"l{i}": "PHI" for i in range(leaks)} | {
        f"n{i}": "NOT_PERSONAL" for i in range(files - leaks)
    }
    flagged = {f"l{i}" for i in range(found)} | {f"n{i}" for i in range(alarms)}
    return evaluate(((n, record("phi" if n in flagged else "possible")) for n in labels), labels)


@pytest.mark.parametrize("files,leaks,found,alarms,tdp,frp", [
    (72, 8, 8, 1, 11.11, 1.39),
    (50, 4, 4, 8, 8.00, 16.00),
    (76, 4, 4, 2, 5.26, 2.63),
])  # fmt: skip
def test_figures_of_the_paper(files, leaks, found, alarms, tdp, frp):
    result = share_of(files, leaks, found, alarms)
    measures = result.measures()
    assert round(measures["TDP"].value * 100, 2) == tdp
    assert round(measures["FRP"].value * 100, 2) == frp
    assert result.as_object()["TDP/TDP_i"] == 1


def test_mistakes_are_named():
    result = share_of(10, 2, 1, 1)
    assert [m.file for m in result.misses] == ["l1"]
    assert [m.file for m in result.false_alarms] == ["n0"]


def test_leaks_in_other_languages_are_counted_apart():
    result = evaluate([("a", record("phi"))], {"a": "PHI_NON_ENGLISH", "gone": "PHI"})
    assert (result.alarms, result.leaks, result.found_apart, result.missing) == (0, 0, 1, ["gone"])


@given(st.integers(0, 300), st.integers(0, 300))
def test_the_interval_holds_the_value(hits, more):
    share = Share.of(hits, hits + more)
    assert 0 <= share.low <= share.value <= share.high <= 1 or not hits + more


def test_labels_need_their_columns(tmp_path):
    (tmp_path / "l.tsv").write_text("name\tkind\n")
    with pytest.raises(ConfigError, match="columns"):
        read_labels(tmp_path / "l.tsv")


def test_the_command_measures_a_share(tmp_path):
    (tmp_path / "share" / "deep").mkdir(parents=True)
    (tmp_path / "share" / "deep" / "a.txt").write_text("gulls and herring")
    (tmp_path / "labels.tsv").write_text("file\tlabel\ndeep/a.txt\tNOT_PERSONAL\n")
    arguments = [
        "evaluate",
        str(tmp_path / "share"),
        str(tmp_path / "labels.tsv"),
        "--json",
        "--jobs",
        "1",
    ]
    result = CliRunner().invoke(main, arguments)
    assert json.loads(result.stdout)["by_label"]["NOT_PERSONAL"]
    assert "false alarms" in CliRunner().invoke(main, arguments[:3]).stdout


def test_the_funnel_follows_the_cascade():
    containers = ["phi", "probable", "possible", "impossible", "possible"]
    records = [(str(i), record(c)) for i, c in enumerate(containers)]
    records[3][1]["reason"] = "not English"
    result = evaluate(records, {name: "NOT_PERSONAL" for name, _ in records})
    steps = [("impossible: not English", 1), ("possible", 2), ("probable", 1), ("phi", 1)]
    assert result.steps() == steps


def scored(privacy, reason="why"):
    return {**record("possible"), "privacy": privacy, "reason": reason}


def test_the_threshold_of_the_2011_paper_gives_its_figures():
    """131 true, 44 false, 24 missed, 51 passed at 5e-5: P 0.749, R 0.845, F 0.794."""
    counts = {("PHI", 1e-3): 131, ("NOT_PERSONAL", 1e-3): 44, ("PHI", 0.0): 24, ("NOT_PERSONAL", 0.0): 51}  # fmt: skip
    files = [(label, value) for (label, value), n in counts.items() for _ in range(n)]
    labels = {str(i): label for i, (label, _) in enumerate(files)}
    result = evaluate(((str(i), scored(value)) for i, (_, value) in enumerate(files)), labels)
    (cut,) = [cut for cut in result.cuts() if cut.threshold == 5e-5]
    assert (cut.found, cut.alarms, cut.missed, cut.passed) == (131, 44, 24, 51)
    assert [round(x, 3) for x in (cut.precision, cut.recall, cut.f)] == [0.749, 0.845, 0.794]


def test_a_threshold_of_density_is_read_where_the_study_judged():
    said = ["identifiers, health density 0.030", "health density 0.050 above 0.04", "too few identifiers"]  # fmt: skip
    records = [(str(i), scored(0.0, reason)) for i, reason in enumerate(said)]
    result = evaluate(records, {"0": "PHI", "1": "PHI", "2": "NOT_PERSONAL"})
    rows = {cut.threshold: cut for cut in result.cuts() if cut.measure == "H"}
    assert (rows[0.04].found, rows[0.04].missed) == (1, 1)
    assert (rows[0.02].found, rows[0.02].missed) == (2, 0)


def test_a_higher_threshold_never_finds_more():
    records = [(str(i), scored(i / 50)) for i in range(50)]
    cuts = evaluate(records, {str(i): "PHI" if i % 2 else "NOT_PERSONAL" for i in range(50)}).cuts()
    recalls = [cut.recall for cut in cuts]
    assert recalls == sorted(recalls, reverse=True)
    assert recalls[0] > recalls[-1]


WHO = [
    "Nadia Ostrow",
    "Joachim Vandermeer",
    "Esther Quillfeather",
    "Bertram Abernathy",
    "Lucinda Pike",
]
BUSINESS = [
    "the telephone contract was renewed", "the books for the library arrived", "his bicycle is in the cellar",
    "the bakery needs flour and sugar", "the garden party starts at noon", "the printing of the leaflets is late",
    "her order of three chairs is ready", "the museum tour was moved", "the roof was mended", "the bus left late",
]  # fmt: skip
ILL = ["has schizophrenia", "was treated for ovarian cancer", "takes lithium for bipolar disorder",
       "was diagnosed with epilepsy"]  # fmt: skip


def letters(folder):
    """Fifty probable files, of which four tell of somebody's health: the sample of table 7."""
    (folder / "share").mkdir()
    rows = ["file\tlabel"]
    for number in range(50):
        who, about = WHO[number % len(WHO)], BUSINESS[number % len(BUSINESS)]
        leak = number < len(ILL)
        text = f"{who} {ILL[number]}." if leak else f"{who} writes that {about}."
        text += f"\n{who}, 12 Elm Street, Salina, Kansas\nHome phone: (785) 555-0{100 + number}\n"
        (folder / "share" / f"{number:02}.txt").write_text(text)
        rows.append(f"{number:02}.txt\t{'PHI' if leak else 'PI_NOT_HEALTH'}")
    (folder / "labels.tsv").write_text("\n".join(rows) + "\n")


def told(folder, profile):
    arguments = [
        "evaluate",
        str(folder / "share"),
        str(folder / "labels.tsv"),
        "--json",
        "--jobs",
        "1",
    ]
    result = CliRunner().invoke(main, [*arguments, "--profile", profile])
    return json.loads(result.stdout)


def test_all_headings_of_mesh_find_every_leak_and_flag_too_much(tmp_path):
    """Table 7: 4 of 4 found, 8 of 46 flagged as well; our own terms flag next to none."""
    letters(tmp_path)
    by_mesh, ours = told(tmp_path, "sokolova2009-mesh"), told(tmp_path, "default")
    assert by_mesh["TDP/TDP_i"] == ours["TDP/TDP_i"] == 1
    assert by_mesh["TDP"]["value"] == ours["TDP"]["value"] == 0.08
    assert by_mesh["false_alarms"] >= 8
    assert ours["false_alarms"] <= 1


def test_the_tables_of_both_papers_come_from_the_command(tmp_path):
    letters(tmp_path)
    arguments = ["evaluate", str(tmp_path / "share"), str(tmp_path / "labels.tsv"), "--threshold", "--jobs", "1"]  # fmt: skip
    lines = CliRunner().invoke(main, arguments).stdout.splitlines()
    (row,) = [line.split() for line in lines if line.startswith("privacy") and " 5e-05 " in line]
    found, alarms, missed, passed = map(int, row[2:6])
    precision, recall, f = map(float, row[6:])
    assert (found + missed, alarms + passed) == (4, 46)
    assert precision == pytest.approx(found / (found + alarms), abs=1e-3)
    assert recall == pytest.approx(found / 4, abs=1e-3)
    assert f == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-3)
    lines = CliRunner().invoke(main, [*arguments, "--profile", "sokolova2009"]).stdout.splitlines()
    assert sum(line.startswith("H ") for line in lines) == len(THRESHOLDS["H"])


def test_copies_by_the_key_of_the_study(tmp_path):
    """Equal size, title, first and last sentence: only the study's rules call them one file."""
    letters(tmp_path)
    labels = tmp_path / "labels.tsv"
    labels.write_text(
        labels.read_text() + "0/a letter.txt\tNOT_PERSONAL\n1/a letter.txt\tNOT_PERSONAL\n"
    )
    for number, word in enumerate(("oak", "elm")):
        text = f"Dear Sir. The {word} stands on the lawn of Ottawa. Yours, the gardener."
        folder = tmp_path / "share" / str(number)
        folder.mkdir()
        (folder / "a letter.txt").write_text(text)
    assert told(tmp_path, "sokolova2009")["funnel"]["duplicate"] == 1
    assert "duplicate" not in told(tmp_path, "default")["funnel"]
