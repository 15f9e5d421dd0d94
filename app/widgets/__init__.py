"""The parts that pages are made of; none of them knows what the program is about."""
