import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from core.records import Verdict
from core.store import Project

TEXTS = 5


@pytest.fixture
def decided(project, bring):
    bring(project, [(str(n), f"text number {n}") for n in range(1, TEXTS + 1)])
    return project.decisions


def test_a_verdict_does_not_depend_on_the_order_of_its_texts(decided):
    decided.decide([(2, 1)], Verdict.SAME, title="Same")
    assert decided.verdict(1, 2) == decided.verdict(2, 1) == Verdict.SAME


def test_a_decision_can_be_changed_and_taken_back(decided):
    decided.decide([(1, 2)], Verdict.SAME, title="Same")
    assert decided.decide([(1, 2)], Verdict.DIFFERENT, title="Different") == 1
    assert decided.verdict(1, 2) == Verdict.DIFFERENT
    assert decided.decide([(1, 2)], None, title="Forget") == 1
    assert decided.verdict(1, 2) is None


def test_deciding_what_is_decided_is_no_step(decided):
    decided.decide([(1, 2)], Verdict.SAME, title="Same")
    assert decided.decide([(1, 2)], Verdict.SAME, title="Same again") == 0
    assert decided.next_undo() == "Same"


def test_a_text_is_never_decided_against_itself(decided):
    assert decided.decide([(1, 1)], Verdict.SAME, title="Same") == 0
    assert decided.next_undo() is None


def test_many_pairs_at_once_are_one_step(decided):
    assert decided.decide([(1, 2), (2, 1), (2, 3)], Verdict.SAME, title="Accept all") == 2
    assert decided.undo() == "Accept all"
    assert decided.counts() == {"same": 0, "different": 0, "unsure": 0}


def test_a_new_step_takes_the_undone_ones_away(decided):
    decided.decide([(1, 2)], Verdict.SAME, title="A")
    decided.undo()
    decided.decide([(1, 3)], Verdict.SAME, title="B")
    assert decided.redo() is None
    assert decided.verdict(1, 2) is None


def test_a_decision_and_its_undo_outlive_the_program(decided, project):
    decided.decide([(1, 2)], Verdict.SAME, title="Same")
    project.close()
    with Project.open(project.folder) as again:
        assert again.decisions.verdict(1, 2) == Verdict.SAME
        assert again.decisions.undo() == "Same"
    with Project.open(project.folder) as again:
        assert again.decisions.redo() == "Same"


def test_a_keeper_takes_the_mark_from_the_rows_of_its_group(decided):
    decided.keep(1, [2, 3], title="Keep 1")
    decided.keep(2, [1, 3], title="Keep 2")
    assert decided.kept_by_hand() == [2]
    assert decided.undo() == "Keep 2"
    assert decided.kept_by_hand() == [1]


def test_same_and_keep_the_other_is_one_step(decided):
    changed = decided.decide([(1, 2)], Verdict.SAME, title="Same, keep 2", keeper=(2, [1]))
    assert changed == 1
    assert decided.kept_by_hand() == [2]
    assert decided.undo() == "Same, keep 2"
    assert (decided.verdict(1, 2), decided.kept_by_hand()) == (None, [])
    assert decided.redo() == "Same, keep 2"
    assert (decided.verdict(1, 2), decided.kept_by_hand()) == (Verdict.SAME, [2])


def test_of_two_rows_chosen_by_hand_the_other_loses_its_mark_and_gets_it_back(decided):
    decided.keep(1, [], title="Keep 1")
    decided.keep(2, [], title="Keep 2")
    decided.decide([(1, 2)], Verdict.SAME, title="Same, keep 2", keeper=(2, [1]))
    assert decided.kept_by_hand() == [2]
    decided.undo()
    assert decided.kept_by_hand() == [1, 2]


def test_a_keeper_moves_also_where_the_verdict_stands_already(decided):
    decided.decide([(1, 2)], Verdict.SAME, title="Same")
    assert decided.decide([(1, 2)], Verdict.SAME, title="Swap", keeper=(2, [1])) == 0
    assert decided.kept_by_hand() == [2]
    assert decided.undo() == "Swap"
    assert decided.verdict(1, 2) is Verdict.SAME


def test_decisions_are_found_from_either_side(decided):
    decided.decide([(2, 1), (2, 5)], Verdict.UNSURE, title="a")
    assert decided.of_texts([2, 1]) == [
        (1, 2, Verdict.UNSURE), (2, 1, Verdict.UNSURE), (2, 5, Verdict.UNSURE)
    ]  # fmt: skip
    assert decided.of_text(5) == [(2, Verdict.UNSURE)]


def test_undoing_a_keeper_whose_row_is_gone_does_no_harm(decided, project, drop, bring):
    decided.keep(1, [], title="Keep 1")
    drop(project, 1)
    bring(project, [("9", "another row")])
    assert decided.undo() == "Keep 1"
    assert decided.redo() == "Keep 1"
    assert decided.kept_by_hand() == []


def test_the_table_holds_each_pair_under_its_verdict(decided):
    decided.decide([(1, 2), (1, 3)], Verdict.SAME, title="a")
    decided.decide([(4, 2)], Verdict.UNSURE, title="b")
    table = decided.table()
    assert table.same.tolist() == [[1, 2], [1, 3]]
    assert table.unsure.tolist() == [[2, 4]]
    assert table.different.shape == (0, 2)


def test_every_change_counts_in_the_revision(decided, project):
    seen = [project.meta.revision("decisions")]
    decided.decide([(1, 2)], Verdict.SAME, title="a")
    seen.append(project.meta.revision("decisions"))
    decided.undo()
    seen.append(project.meta.revision("decisions"))
    assert seen == sorted(set(seen))


def test_there_is_no_pace_before_ten_decisions(decided):
    decided.decide([(1, 2)], Verdict.SAME, title="a")
    assert decided.pace() is None


def test_the_pace_leaves_out_pauses(decided, project):
    pairs = [(a, b) for a in range(1, TEXTS + 1) for b in range(a + 1, TEXTS + 1)]
    for pair in [*pairs, pairs[0]]:
        decided.decide([pair], Verdict.SAME, title="a")
        decided.decide([pair], Verdict.UNSURE, title="b")
    edits = project._db.conn.execute("SELECT id FROM edits ORDER BY id").fetchall()
    for number, (edit,) in enumerate(edits):
        hour = 9 if number < 12 else 15
        project._db.conn.execute(
            "UPDATE edits SET at = ? WHERE id = ?",
            (f"2026-05-12T{hour:02}:{number * 4 // 60:02}:{number * 4 % 60:02}+00:00", edit),
        )
    assert decided.pace() == 4


def test_any_mixture_of_steps_equals_a_list_of_snapshots(tmp_path_factory, bring):
    pair = st.tuples(st.integers(1, TEXTS), st.integers(1, TEXTS))

    class Steps(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.project = Project.create(tmp_path_factory.mktemp("steps") / "p")
            bring(self.project, [(str(n), f"text number {n}") for n in range(1, TEXTS + 1)])
            self.past = [({}, frozenset())]  # snapshots, the newest last
            self.future = []

        @rule(pairs=st.lists(pair, max_size=4), verdict=st.sampled_from([*Verdict, None]))
        def decide(self, pairs, verdict):
            verdicts, keepers = self.past[-1]
            after = dict(verdicts)
            for a, b in pairs:
                if a != b and verdict is None:
                    after.pop((min(a, b), max(a, b)), None)
                elif a != b:
                    after[min(a, b), max(a, b)] = verdict
            self.project.decisions.decide(pairs, verdict, title="decide")
            self._step((after, keepers))

        @rule(row=st.integers(1, TEXTS), others=st.lists(st.integers(1, TEXTS), max_size=3))
        def keep(self, row, others):
            verdicts, keepers = self.past[-1]
            self.project.decisions.keep(row, others, title="keep")
            self._step((verdicts, (keepers - set(others)) | {row}))

        @rule(
            one=pair,
            verdict=st.sampled_from([*Verdict, None]),
            row=st.integers(1, TEXTS),
            others=st.lists(st.integers(1, TEXTS), max_size=3),
        )
        def decide_and_keep(self, one, verdict, row, others):
            verdicts, keepers = self.past[-1]
            after, key = dict(verdicts), (min(one), max(one))
            if one[0] != one[1] and verdict is None:
                after.pop(key, None)
            elif one[0] != one[1]:
                after[key] = verdict
            self.project.decisions.decide([one], verdict, title="both", keeper=(row, others))
            self._step((after, (keepers - set(others)) | {row}))

        @rule()
        def undo(self):
            title = self.project.decisions.undo()
            assert (title is None) == (len(self.past) == 1)
            if len(self.past) > 1:
                self.future.append(self.past.pop())

        @rule()
        def redo(self):
            title = self.project.decisions.redo()
            assert (title is None) == (not self.future)
            if self.future:
                self.past.append(self.future.pop())

        @invariant()
        def same_as_the_model(self):
            table = self.project.decisions.table()
            found = {
                tuple(row): verdict
                for verdict in Verdict
                for row in getattr(table, verdict).tolist()
            }
            assert (found, set(self.project.decisions.kept_by_hand())) == self.past[-1]

        def _step(self, after):
            if after != self.past[-1]:
                self.past.append(after)
                self.future = []

        def teardown(self):
            self.project.close()

    run_state_machine_as_test(
        Steps,
        settings=settings(
            max_examples=25, stateful_step_count=25, deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip
