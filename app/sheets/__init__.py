"""Sheets: dialogs that settle one thing and give it back as a value."""
