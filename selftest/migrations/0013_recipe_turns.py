from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("selftest", "0012_explained_lookups")]

    operations = [
        migrations.AddField(
            model_name="coverage",
            name="turn",
            field=models.PositiveBigIntegerField(
                default=0, help_text="How many turns it has had, or would have had if it had not sat out."
            ),
        ),
    ]
