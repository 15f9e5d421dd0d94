"""The pages that exist, those of the rail in its order; a new page is one line here."""

from app.page_shelf import PagePlan

PAGES = (
    PagePlan("Corpus", "corpus", "app.pages.corpus", "CorpusPage"),
    PagePlan("Duplicates", "duplicates", "app.pages.duplicates", "DuplicatesPage"),
    PagePlan("Search", "search", "app.pages.search", "SearchPage"),
    PagePlan("Map", "map", "app.pages.map", "MapPage"),
    PagePlan("Teach", "teach", "app.pages.teach", "TeachPage"),
    PagePlan("Multiply", "multiply", "app.pages.multiply", "MultiplyPage"),
    PagePlan("What changed", "refresh", "app.pages.changes", "ChangesPage", on_rail=False),
)
