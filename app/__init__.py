"""The window of Samesense: it asks the engine for work by name and shows what is stored."""
