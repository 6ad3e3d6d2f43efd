"""A site's file replaces or completes the bundled knowledge; a malformed one names line and reason and changes nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlp.errors import KnowledgeError
from dlp.knowledge.artefact import load
from dlp.knowledge.compile.site_imports import (
    import_file,
    read_mesh_ascii,
    read_mesh_xml,
    read_terms,
)
from dlp.knowledge.foreign_terms import load_terms
from dlp.knowledge.health import HealthLexicon, load_health
from dlp.knowledge.icd import IcdCodes
from dlp.knowledge.mesh import load_mesh

RECORD = """<DescriptorRecord DescriptorClass="1"><DescriptorUI>{id}</DescriptorUI>
<DescriptorName><String>{name}</String></DescriptorName>
<TreeNumberList>{trees}</TreeNumberList>
<ConceptList><Concept PreferredConceptYN="Y"><TermList>{terms}</TermList></Concept></ConceptList>
</DescriptorRecord>"""
HEAD = (
    '<?xml version="1.0"?>\n<!DOCTYPE DescriptorRecordSet SYSTEM "https://www.nlm.nih.gov/x.dtd">\n'
)


def record(ident, name, trees, terms):
    return RECORD.format(
        id=ident,
        name=name,
        trees="".join(f"<TreeNumber>{tree}</TreeNumber>" for tree in trees),
        terms="".join(f"<Term><String>{term}</String></Term>" for term in (name, *terms)),
    )


def descriptor_file(folder, *records):
    path = folder / "desc2026.xml"
    path.write_text(f"{HEAD}<DescriptorRecordSet>{''.join(records)}</DescriptorRecordSet>")
    return path


@pytest.fixture
def site(tmp_path, monkeypatch):
    folder = tmp_path / "site"
    monkeypatch.setenv("DLP_KNOWLEDGE", str(folder))
    load_mesh.cache_clear()
    load_health.cache_clear()
    yield folder
    load_mesh.cache_clear()
    load_health.cache_clear()


def test_nlm_xml_replaces_mesh_and_keeps_positions(tmp_path, site):
    bundled = load_mesh()
    path = descriptor_file(
        tmp_path,
        record("D009369", "Neoplasms", ["C04"], ["Tumor"]),
        record("D999998", "Zystorel Fever", ["C04.999"], ["Zystorelosis"]),
    )
    done = import_file(path)
    assert (done.what, done.records) == ("mesh", 2)
    mesh = load_mesh()
    assert mesh.ids[: len(bundled)] == bundled.ids
    new = mesh.find("zystorelosis")[0]
    assert mesh.ids[new] == "D999998"
    assert [mesh.name(above) for above in mesh.ancestors(new)] == ["Neoplasms"]
    retired = mesh.index("D003924")
    assert mesh.tree_numbers(retired) == ()
    assert mesh.find("asthma")
    assert mesh.letters[new] == 1 << 2
    text = "Known zystorelosis since May."
    hits = load_health().scan(text)
    assert [(text[h.start : h.end], h.concepts) for h in hits] == [("zystorelosis", ("D999998",))]


def test_nlm_ascii_reads_the_same(tmp_path):
    path = tmp_path / "d2026.bin"
    path.write_text(
        "*NEWRECORD\nRECTYPE = D\nMH = Neoplasms\nENTRY = Tumor|T191|NON|EQV\nMN = C04\nUI = D009369\n"
        "\n*NEWRECORD\nRECTYPE = D\nMH = Zystorel Fever\nPRINT ENTRY = Zystorelosis|T047\nMN = C04.999\nUI = D999998\n"
    )
    xml = descriptor_file(
        tmp_path,
        record("D009369", "Neoplasms", ["C04"], ["Tumor"]),
        record("D999998", "Zystorel Fever", ["C04.999"], ["Zystorelosis"]),
    )
    assert read_mesh_ascii(path) == read_mesh_xml(xml)


def test_a_site_list_stands_before_the_bundled_terms(tmp_path, site):
    path = tmp_path / "terms.csv"
    path.write_text(
        "term,concept,kind\nZystorel,Antineoplastic Agents,drug\nasthma,D001249,symptom\n"
    )
    assert import_file(path).records == 2
    text = "On zystorel for asthma."
    found = [(text[h.start : h.end], h.kind.value) for h in load_health().scan(text)]
    assert found == [("zystorel", "drug"), ("asthma", "symptom")]


def test_an_icd_list_replaces_the_bundled_codes(tmp_path, site):
    path = tmp_path / "icd.csv"
    path.write_text("code,title\nE11,Type 2 diabetes mellitus\nE11.Z,Zystorel diabetes\n")
    assert import_file(path).what == "icd"
    codes = IcdCodes(load("icd", site), load_mesh())
    assert codes.find("E11.Z").concepts == ("D003924",)
    assert codes.find("J45") is None
    assert codes.find("250.00") is not None


@pytest.mark.parametrize(
    "name, content, words",
    [
        ("a.csv", "term,concept\nasthma,No Such Heading\n", ["line 2", "MeSH"]),
        ("a.csv", "term,kind\nasthma,disease\n,disease\n", ["line 3", "without a term"]),
        ("a.csv", "term,kind\nasthma,illness\n", ["line 2", "kind"]),
        ("a.csv", "word\nasthma\n", ["line 1", "columns"]),
        ("a.csv", 'term,kind\n"asthma,disease\n', ["line 2"]),
        ("a.csv", "term,kind\n", ["no terms"]),
        ("a.xml", HEAD + "<DescriptorRecordSet><DescriptorRecord>", ["line 3"]),
        ("a.xml", HEAD + "<DescriptorRecordSet></DescriptorRecordSet>", ["no MeSH descriptor"]),
        ("d.bin", "*NEWRECORD\nMH = X\nrubbish here\n", ["line 3"]),
        ("d.bin", "*NEWRECORD\nMH = X\nUI = D000001\nMN = tree\n", ["D000001", "tree"]),
        ("i.csv", "code,title\nE11,Diabetes\n??,Nothing\n", ["line 3", "ICD-10"]),
    ],
)
def test_a_malformed_file_names_line_and_reason_and_loads_nothing(
    tmp_path, site, name, content, words
):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(KnowledgeError) as raised:
        import_file(path)
    assert all(word in str(raised.value) for word in (name, *words))
    assert not list(site.glob("*")) if site.exists() else True


TOKENS = ["term", "kind", ",", "\n", '"', "disease", "asthma", "\0", "D001249", " ", "\r"]


@given(st.lists(st.sampled_from(TOKENS)))
def test_any_list_is_read_or_refused_by_line(tmp_path_factory, tokens):
    path = tmp_path_factory.getbasetemp() / "terms.csv"
    path.write_text("term,kind\n" + "".join(tokens), newline="")
    try:
        found = list(read_terms(path, load_mesh()))
    except KnowledgeError as error:
        message = str(error)
    else:
        message = ""
        assert all(term.text and term.kind for term in found)
    assert not message or "terms.csv: line " in message


def test_a_file_that_is_not_there_is_refused(tmp_path, site):
    with pytest.raises(KnowledgeError, match="missing"):
        import_file(tmp_path / "missing.csv")


def test_an_imported_artefact_is_pinned_too(tmp_path, site):
    path = tmp_path / "terms.csv"
    path.write_text("term,kind\nzystorel,drug\n")
    import_file(path)
    assert json.loads((site / "site_terms.json").read_text())["sha256"]
    raw = (site / "site_terms.bin").read_bytes()
    (site / "site_terms.bin").write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    with pytest.raises(KnowledgeError, match="damaged"):
        HealthLexicon(load("site_terms", site))


@pytest.fixture
def vocabulary(site):
    load_terms.cache_clear()
    yield site
    load_terms.cache_clear()


def told(code, text):
    return [(word.kind.value, word.concept) for word in load_terms(code).scan(text)]


def test_a_licensed_vocabulary_joins_the_words_of_its_language(tmp_path, vocabulary):
    before = told("de", "leidet an Quirlsucht, nimmt Zystoral")
    path = tmp_path / "words.csv"
    path.write_text(
        "language,term,concept,kind\nde,Quirlsucht,D004827,\nde,Zystoral,,drug\n"
        "nl,quirlziekte,Epilepsy,\n"
    )
    assert (import_file(path).what, import_file(path).records) == ("vocabulary", 3)
    assert before == []
    assert told("de", "leidet an Quirlsucht, nimmt ZYSTORAL") == [
        ("disease", "D004827"),
        ("drug", ""),
    ]
    assert told("nl", "heeft quirlziekte") == [("disease", "D004827")]
    assert told("fr", "quirlziekte") == []


def test_icd_titles_of_a_language_stand_for_the_concept_of_their_code(tmp_path, vocabulary):
    path = tmp_path / "icd.csv"
    path.write_text("language;code;title\n".replace(";", ",") + "fr,J45.9,Quirlasthme\n")
    import_file(path)
    assert told("fr", "il a un quirlasthme") == [("disease", "D001249")]


@pytest.mark.parametrize(
    "text, reason",
    [
        ("language,term,concept\nxx,Quirl,D004827\n", "xx"),
        ("language,term,concept\nde,,D004827\n", "without a term"),
        ("language,term,concept\nde,Quirl,Nonsense heading\n", "no MeSH id"),
        ("language,code,title\nde,ZZZ,Quirl\n", "no ICD-10 code"),
        ("language,word\nde,Quirl\n", "first line"),
    ],
)
def test_a_vocabulary_with_a_mistake_changes_nothing(tmp_path, vocabulary, text, reason):
    path = tmp_path / "words.csv"
    path.write_text(text)
    with pytest.raises(KnowledgeError) as raised:
        import_file(path)
    assert reason in str(raised.value)
    assert not list(vocabulary.glob("terms-*"))
