from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("selftest", "0063_flags_due")]
    operations = [
        migrations.AddField(
            model_name="channel",
            name="tested_at",
            field=models.DateTimeField(editable=False, help_text="When a test was last sent to it.", null=True),
        ),
        migrations.AlterField(
            model_name="notice", name="link", field=models.TextField(help_text="The path of the page about it.")
        ),
    ]
