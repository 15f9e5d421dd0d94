"""The one error that is the world's fault and not ours."""


class UserError(Exception):
    """A fault of the world (file, disk, choice) told in plain words; never a bug.

    `what` says what happened and what is safe, `remedy` what to do now. Everything that is
    not a `UserError` is a bug and rises to the top.
    """

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.what} {self.remedy}".strip()
