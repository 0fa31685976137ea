
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('selftest', '0005_lookups'),
    ]

    operations = [
        migrations.AddField(
            model_name='installation',
            name='queue_changes',
            field=models.PositiveBigIntegerField(default=0, help_text='Another number whenever what is flagged has changed: what was counted before is outdated.'),
        ),
    ]
