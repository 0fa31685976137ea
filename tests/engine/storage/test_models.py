"""What holds between models that do not import each other."""

from selftest.models import BulkItem, Combination


def test_a_bulk_item_keeps_any_status_that_a_combination_can_have() -> None:
    assert BulkItem._meta.get_field("status_before").choices == Combination.ReviewStatus.choices
