"""The few kinds of panel that the dashboards are made of.

In: a title, a sentence, PromQL.  Out: builders of grafana-foundation-sdk.

Every panel says in its description what to do about what it shows: at night nobody looks it up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grafana_foundation_sdk.builders import bargauge, common, dashboard, prometheus, stat, table
from grafana_foundation_sdk.builders import statetimeline as timeline
from grafana_foundation_sdk.builders import timeseries as series
from grafana_foundation_sdk.models import common as c
from grafana_foundation_sdk.models import dashboard as d
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

SOURCE = d.DataSourceRef(type_val="prometheus", uid="${datasource}")
WHERE = 'job="$job",instance=~"$instance"'
SHARE = f'{WHERE},share=~"$share"'
GREEN, YELLOW, ORANGE, RED, BLUE, GREY = "green", "yellow", "orange", "red", "blue", "text"
LEVEL_COLOURS = {"low": BLUE, "medium": YELLOW, "high": ORANGE, "critical": RED}
CONTAINER_COLOURS = {"impossible": GREEN, "possible": BLUE, "probable": ORANGE, "phi": RED}

PAINTED = d.DynamicConfigValue(
    id_val="custom.cellOptions", value={"type": "color-background", "mode": "basic"}
)

Targets = Mapping[str, str]  # legend -> expression


def query(legend: str, expr: str, ref: str, *, instant: bool, rows: bool = False) -> Any:
    one = prometheus.Dataquery().expr(expr).legend_format(legend).ref_id(ref).datasource(SOURCE)
    if rows:
        one = one.format(PromQueryFormat.TABLE)
    return one.instant() if instant else one.range()


def steps(*pairs: tuple[float | None, str]) -> Any:
    levels = [d.Threshold(value=value, color=colour) for value, colour in pairs]
    return dashboard.ThresholdsConfig().mode(d.ThresholdsMode.ABSOLUTE).steps(levels)


def words(meaning: Mapping[str, tuple[str, str]]) -> list[Any]:
    """Numbers as words: "1" -> ("degraded", red)."""
    options = {
        number: d.ValueMappingResult(text=text, color=colour, index=index)
        for index, (number, (text, colour)) in enumerate(meaning.items())
    }
    return [d.ValueMap(options=options)]


def coloured(colours: Mapping[str, str]) -> list[Any]:
    """One colour for one word, on every panel."""
    return [
        dashboard.DashboardFieldConfigSourceOverrides()
        .matcher(d.MatcherConfig(id_val="byName", options=word))
        .properties([
            d.DynamicConfigValue(id_val="color", value={"mode": "fixed", "fixedColor": colour})
        ])
        for word, colour in colours.items()
    ]  # fmt: skip


def framed(panel: Any, title: str, about: str, width: int, height: int) -> Any:
    panel = panel.title(title).description(about).datasource(SOURCE)
    return panel.span(width).height(height)


def number(
    title: str,
    about: str,
    expr: str,
    *,
    unit: str = "short",
    colours: Sequence[tuple[float | None, str]] = ((None, GREY),),
    meaning: Mapping[str, tuple[str, str]] | None = None,
    nothing: str = "no answer",
    width: int = 4,
) -> Any:
    """One figure, coloured by how bad it is."""
    last = common.ReduceDataOptions().calcs(["lastNotNull"]).values(False).fields("")
    panel = (
        framed(stat.Panel(), title, about, width, 4)
        .with_target(query("", expr, "A", instant=True))
        .unit(unit)
        .thresholds(steps(*colours))
        .color_scheme(dashboard.FieldColor().mode(d.FieldColorModeId.THRESHOLDS))
        .color_mode(c.BigValueColorMode.BACKGROUND)
        .graph_mode(c.BigValueGraphMode.NONE)
        .reduce_options(last)
        .no_value(nothing)
    )
    return panel.mappings(words(meaning)) if meaning else panel


def graph(
    title: str,
    about: str,
    targets: Targets,
    *,
    unit: str = "short",
    stacked: bool = False,
    colours: Mapping[str, str] | None = None,
    width: int = 12,
    height: int = 8,
) -> Any:
    """Figures over time."""
    legend = common.VizLegendOptions().display_mode(c.LegendDisplayMode.LIST)
    panel = (
        framed(series.Panel(), title, about, width, height)
        .unit(unit)
        .min(0)
        .fill_opacity(30 if stacked else 8)
        .line_width(1)
        .show_points(c.VisibilityMode.NEVER)
        .legend(legend.placement(c.LegendPlacement.BOTTOM).show_legend(True).calcs([]))
        .tooltip(
            common.VizTooltipOptions().mode(c.TooltipDisplayMode.MULTI).sort(c.SortOrder.DESCENDING)
        )
    )
    if stacked:
        panel = panel.stacking(common.StackingConfig().mode(c.StackingMode.NORMAL).group("A"))
    for ref, (legend_format, expr) in zip("ABCDEFGH", targets.items(), strict=False):
        panel = panel.with_target(query(legend_format, expr, ref, instant=False))
    return panel.overrides(coloured(colours)) if colours else panel


def bars(
    title: str,
    about: str,
    legend: str,
    expr: str,
    *,
    unit: str = "short",
    colours: Mapping[str, str] | None = None,
    width: int = 8,
) -> Any:
    """Figures now, side by side."""
    last = common.ReduceDataOptions().calcs(["lastNotNull"]).values(False).fields("")
    panel = (
        framed(bargauge.Panel(), title, about, width, 8)
        .with_target(query(legend, expr, "A", instant=True))
        .unit(unit)
        .min(0)
        .thresholds(steps((None, BLUE)))
        .orientation(c.VizOrientation.HORIZONTAL)
        .display_mode(c.BarGaugeDisplayMode.BASIC)
        .reduce_options(last)
    )
    return panel.overrides(coloured(colours)) if colours else panel


def states(
    title: str,
    about: str,
    legend: str,
    expr: str,
    meaning: Mapping[str, tuple[str, str]],
    *,
    width: int = 12,
    height: int = 8,
) -> Any:
    """What was true when."""
    return (
        framed(timeline.Panel(), title, about, width, height)
        .with_target(query(legend, expr, "A", instant=False))
        .unit("short")
        .mappings(words(meaning))
        .thresholds(steps((None, GREEN), (1, RED)))
        .color_scheme(dashboard.FieldColor().mode(d.FieldColorModeId.THRESHOLDS))
        .show_value(c.VisibilityMode.NEVER)
        .merge_values(True)
        .row_height(0.8)
    )


def rows(
    title: str,
    about: str,
    columns: Mapping[str, tuple[str, str]],
    *,
    key: Sequence[str],
    meanings: Mapping[str, Mapping[str, tuple[str, str]]] | None = None,
    colours: Mapping[str, Sequence[tuple[float | None, str]]] | None = None,
    words_of: Mapping[str, Mapping[str, tuple[str, str]]] | None = None,
    first: str = "",
    labels_only: bool = False,
    width: int = 24,
    height: int = 8,
) -> Any:
    """A table: one row for each combination of `key`, one column for each expression.

    `words_of`: colours for the words of a key column; `first`: the column to sort by.
    """
    panel = framed(table.Panel(), title, about, width, height).unit("short").show_header(True)
    if first:
        panel = panel.sort_by([common.TableSortByFieldState().display_name(first).desc(False)])
    for ref, (_, expr) in zip("ABCDEFGHIJ", columns.values(), strict=False):
        panel = panel.with_target(query("", expr, ref, instant=True, rows=True))
    values = {f"Value #{ref}": name for ref, name in zip("ABCDEFGHIJ", columns, strict=False)}
    if len(columns) == 1:
        values = {"Value": next(iter(columns))}
    order = {name: place for place, name in enumerate([*key, *values])}
    hidden = {"Time": True, **dict.fromkeys(values if labels_only else (), True)}
    arrange = {"excludeByName": hidden, "indexByName": order, "renameByName": values}
    panel = panel.transformations([
        d.DataTransformerConfig(id_val="merge", options={}),
        d.DataTransformerConfig(id_val="organize", options=arrange),
    ])  # fmt: skip
    for name, (column_unit, _) in columns.items():
        properties = [d.DynamicConfigValue(id_val="unit", value=column_unit)]
        if meanings and name in meanings:
            properties.append(d.DynamicConfigValue(id_val="mappings", value=words(meanings[name])))
        if colours and name in colours:
            scale = steps(*colours[name]).build()
            properties += [d.DynamicConfigValue(id_val="thresholds", value=scale), PAINTED]
        panel = panel.override_by_name(name, properties)
    for name, meaning in (words_of or {}).items():
        known = d.DynamicConfigValue(id_val="mappings", value=words(meaning))
        panel = panel.override_by_name(name, [known, PAINTED])
    return panel


def board(uid: str, title: str, about: str, panels: Sequence[tuple[str, Sequence[Any]]]) -> Any:
    """A dashboard of rows; the first has no heading, because it is what one came for."""
    made = (
        dashboard.Dashboard(title)
        .uid(uid)
        .description(about)
        .tags(["dlp"])
        .editable()
        .tooltip(d.DashboardCursorSync.CROSSHAIR)
        .time("now-6h", "now")
        .refresh("30s")
        .timezone("browser")
        .link(
            dashboard.DashboardLink("dlp")
            .type(d.DashboardLinkType.DASHBOARDS)
            .tags(["dlp"])
            .keep_time(True)
            .include_vars(True)
        )
        .variables(variables())
    )
    identity = 0
    for heading, members in panels:
        if heading:
            identity += 1
            made = made.with_row(dashboard.Row(heading).id(identity))
        for panel in members:
            identity += 1
            made = made.with_panel(panel.id(identity))
    return made.build()


def variables() -> list[Any]:
    return [
        dashboard.DatasourceVariable("datasource").label("Data source").type("prometheus"),
        chosen("job", "Job", "label_values(dlp_build_info, job)", several=False),
        chosen("instance", "Server", 'label_values(dlp_build_info{job="$job"}, instance)'),
        chosen(
            "share",
            "Share",
            'label_values(dlp_share_available{job="$job",instance=~"$instance"}, share)',
        ),
    ]


def chosen(name: str, label: str, asked: str, *, several: bool = True) -> Any:
    variable = (
        dashboard.QueryVariable(name)
        .label(label)
        .query(asked)
        .datasource(SOURCE)
        .refresh(d.VariableRefresh.ON_TIME_RANGE_CHANGED)
        .sort(d.VariableSort.ALPHABETICAL_ASC)
        .multi(several)
        .include_all(several)
    )
    if several:
        everything = d.VariableOption(text="All", value="$__all", selected=True)
        return variable.all_value(".*").current(everything)
    # Without a first choice the page would open empty.
    return variable.current(d.VariableOption(text="dlp", value="dlp", selected=True))
