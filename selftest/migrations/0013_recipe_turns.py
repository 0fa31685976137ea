from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("selftest", "0012_explained_lookups")]

    operations = [
        migrations.AddField(
            model_name="coverage",
            name="turn",
            field=models.PositiveBigIntegerField(
                default=0, help_text="Turns it has had, including those that it sat out."
            ),
        ),
    ]
