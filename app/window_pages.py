"""The pages that exist, in the order of the rail; a new page is one line here."""

from app.page_shelf import PagePlan

PAGES = (
    PagePlan("Corpus", "corpus", "app.pages.corpus", "CorpusPage"),
    PagePlan("Duplicates", "duplicates", "app.pages.duplicates", "DuplicatesPage"),
    PagePlan("Search", "search", "app.pages.search", "SearchPage"),
    PagePlan("Map", "map", "app.pages.map", "MapPage"),
    PagePlan("Teach", "teach", "app.pages.teach", "TeachPage"),
)
