"""Makes the index by which a flagged combination is looked up hold all that a list of the queue is grouped by."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("selftest", "0064_channel_tested_at")]
    operations = [
        migrations.RemoveIndex(model_name="combination", name="combination_state"),
        migrations.AddIndex(
            model_name="combination",
            index=models.Index(
                condition=models.Q(("ever_flagged", True)),
                fields=[
                    "id",
                    "review_status",
                    "currently_flagged",
                    "target",
                    "flagged_check",
                    "cause",
                    "last_run_timestamp",
                    "first_flagged_timestamp",
                    "times_flagged",
                    "recipe_name",
                    "last_source_used",
                    "last_flagged_run",
                ],
                name="combination_review_by_key",
            ),
        ),
    ]
