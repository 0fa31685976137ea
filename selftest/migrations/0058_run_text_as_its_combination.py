from django.db import migrations, models

from selftest.migrations._state_only import StateOnly


class Migration(migrations.Migration):
    """Runs that there are keep their texts."""

    dependencies = [
        ('selftest', '0057_ascending_indexes'),
    ]

    operations = [
        StateOnly(
            state_operations=[
                migrations.AlterField(
                    model_name='run',
                    name='query_text',
                    field=models.TextField(blank=True, help_text='What was asked; empty: the text of its parts.'),
                ),
            ]
        )
    ]
