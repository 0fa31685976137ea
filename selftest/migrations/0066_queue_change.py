"""Makes the table in which triggers note which combinations of the queue have changed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("selftest", "0065_review_by_key")]
    operations = [
        migrations.CreateModel(
            name="QueueChange",
            fields=[
                (
                    "combination",
                    models.BigIntegerField(
                        help_text="Its key, also where it is gone; 0: all of them may have changed.",
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "change",
                    models.BigIntegerField(blank=True, db_index=True, help_text="Null: not told of yet.", null=True),
                ),
            ],
        ),
    ]
