
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('selftest', '0004_backfill_review'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='combination',
            index=models.Index(condition=models.Q(('ever_flagged', True), ('review_status__isnull', True)), fields=['target', '-last_run_timestamp', '-id'], name='combination_queue_of_target'),
        ),
        migrations.AddIndex(
            model_name='combination',
            index=models.Index(condition=models.Q(('currently_flagged', True)), fields=['-last_run_timestamp', '-id'], name='combination_flagged_now'),
        ),
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
