"""Write the dashboards' JSON: python -m dashboards.generate

In: nothing.  Out: dashboards/*.json, the same bytes from the same source.
"""

from __future__ import annotations

import json
from pathlib import Path

from grafana_foundation_sdk.cog.encoder import JSONEncoder

from dashboards import health, overview, risk

FOLDER = Path(__file__).parent


def pages() -> dict[str, str]:
    """File name -> content."""
    boards = (overview.build(), risk.build(), health.build())
    return {
        f"{each.uid}.json": json.dumps(each, cls=JSONEncoder, indent=2, ensure_ascii=False) + "\n"
        for each in boards
    }


def main() -> None:
    for name, content in pages().items():
        (FOLDER / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
