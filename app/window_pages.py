"""The pages that exist, in the order of the rail; a new page is one line here."""

from app.pages.corpus import CorpusPage
from app.pages.duplicates import DuplicatesPage
from app.pages.map import MapPage
from app.pages.page import Page
from app.pages.search import SearchPage
from app.pages.teach import TeachPage

PAGES: tuple[type[Page], ...] = (CorpusPage, DuplicatesPage, SearchPage, MapPage, TeachPage)
