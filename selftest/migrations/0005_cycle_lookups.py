
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('selftest', '0004_backfill_review'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='cycle',
            index=models.Index(condition=models.Q(('state', 'finished')), fields=['-finished_at'], name='cycle_last_finished_of_all'),
        ),
        migrations.AddIndex(
            model_name='cycle',
            index=models.Index(condition=models.Q(('state', 'target_unavailable')), fields=['target', '-id'], name='cycle_last_outage'),
        ),
        migrations.AddIndex(
            model_name='cycle',
            index=models.Index(condition=models.Q(('state', 'target_unavailable')), fields=['-id'], name='cycle_last_outage_of_all'),
        ),
    ]
