from django.db import migrations, models

from selftest.migrations._state_only import StateOnly


class Migration(migrations.Migration):
    """Runs that there are keep their queries."""

    dependencies = [
        ('selftest', '0054_grouped_in_order'),
    ]

    operations = [
        StateOnly(
            state_operations=[
                migrations.AlterField(
                    model_name='run',
                    name='query',
                    field=models.JSONField(blank=True, default=dict, help_text='The parts, in order, as asked; empty: as its combination has them.'),
                ),
            ]
        )
    ]
