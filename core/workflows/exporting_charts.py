"""Exports of clusters, of the map, and of rows that were picked."""

from collections.abc import Iterator, Sequence

from core.store import Project
from core.store.tables import Column
from core.workflows.export_table import ID, PAGE, Table, cells_of

LATER = "came later"
HOW = ("in it", "assigned by its neighbours", "by hand")


def clusters_table(project: Project) -> Table:
    """Every row with its cells and the cluster it is in."""
    names = project.documents.columns()
    columns = [
        ID, *map(Column, names), Column("samesense_source"), Column("samesense_line", "integer"),
        Column("samesense_text"), Column("samesense_cluster", "integer"),
        Column("samesense_cluster_name"), Column("samesense_cluster_keywords"),
        Column("samesense_strength", "real"), Column("samesense_how"),
        Column("samesense_excluded", "integer"),
    ]  # fmt: skip
    clusters = {row.number: row for row in project.clusters.listed()}
    labels = project.clusters.labels()
    of_text = {
        text: (cluster, strength, how)
        for text, cluster, strength, how in zip(
            labels.texts.tolist(), labels.cluster.tolist(), labels.strength.tolist(),
            labels.how.tolist(), strict=True,
        )
    }  # fmt: skip

    def pages() -> Iterator[list[list[object]]]:
        for rows in project.documents.stream(page=PAGE):
            page: list[list[object]] = []
            for row in rows:
                number, strength, how = of_text.get(row.text or 0, (-1, 0.0, 0))
                cluster = clusters.get(number)
                is_later = row.text is not None and row.text not in of_text
                told: list[object] = [None, "", "", None, LATER if is_later else "", 0]
                if cluster is not None:
                    told = [
                        number, cluster.name, ", ".join(cluster.keywords), round(strength, 4),
                        HOW[how], int(cluster.is_excluded),
                    ]  # fmt: skip
                page.append([
                    row.id, *cells_of(row, names), row.source_name, row.line, row.body, *told,
                ])  # fmt: skip
            yield page

    return Table("clusters", columns, pages(), project.documents.count(), note=_later(project))


def map_table(project: Project) -> Table:
    """Every text with its place on the map and its cluster."""
    columns = [
        ID, Column("samesense_text"), Column("samesense_copies", "integer"),
        Column("samesense_x", "real"), Column("samesense_y", "real"),
        Column("samesense_cluster", "integer"), Column("samesense_cluster_name"),
    ]  # fmt: skip
    points = project.maps.points()
    clusters = {row.number: row.name for row in project.clusters.listed()}

    def pages() -> Iterator[list[list[object]]]:
        for start in range(0, len(points.texts), PAGE):
            texts = points.texts[start : start + PAGE].tolist()
            places = points.xy[start : start + PAGE].tolist()
            firsts = project.documents.first_of_texts(texts)
            of_text = project.clusters.of_texts(texts)
            page: list[list[object]] = []
            for text, (x, y) in zip(texts, places, strict=True):
                row, number = firsts[text], of_text.get(text, -1)
                page.append([
                    row.id, row.body, row.copies, round(x, 5), round(y, 5),
                    number if number in clusters else None, clusters.get(number, ""),
                ])  # fmt: skip
            yield page

    return Table("the map", columns, pages(), len(points.texts), note=_not_drawn(project))


def _later(project: Project) -> str:
    later = project.texts.count() - len(project.clusters.labels().texts)
    texts = "1 text" if later == 1 else f"{later:,} texts"
    return f"{texts} came after the clusters were found and are in none." if later else ""


def _not_drawn(project: Project) -> str:
    later = project.texts.count() - len(project.maps.points().texts)
    texts = "1 text is" if later == 1 else f"{later:,} texts are"
    return f"{texts} not on the map yet." if later else ""


def rows_table(project: Project, documents: Sequence[int], scores: Sequence[float] | None) -> Table:
    """These rows in this order, with their scores."""
    names = project.documents.columns()
    columns = [
        ID, *map(Column, names), Column("samesense_source"), Column("samesense_line", "integer"),
        Column("samesense_text"), Column("samesense_copies", "integer"),
        Column("samesense_score", "real"),
    ]  # fmt: skip
    given = list(scores) if scores is not None else [None] * len(documents)
    of_document = dict(zip(documents, given, strict=True))

    def pages() -> Iterator[list[list[object]]]:
        for start in range(0, len(documents), PAGE):
            rows = project.documents.get(documents[start : start + PAGE])
            yield [
                [
                    row.id, *cells_of(row, names), row.source_name, row.line, row.body,
                    row.copies, of_document[row.id],
                ]
                for row in rows
            ]  # fmt: skip

    return Table("rows", columns, pages(), len(documents))
