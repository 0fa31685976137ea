from django.db import migrations, models

from selftest.migrations._state_only import StateOnly


class Migration(migrations.Migration):
    """A cause more for an explanation; those that there are stay as they are."""

    dependencies = [
        ('selftest', '0051_requests_left_out'),
    ]

    operations = [
        StateOnly(
            state_operations=[
                migrations.AlterField(
                    model_name='explanation',
                    name='cause',
                    field=models.CharField(choices=[('empty_alone', 'The source has nothing on that part alone either'), ('stood_in', 'A documented fallback stood in'), ('chosen_alone', 'The target sends the condition alone there too, each time'), ('said_so', 'The answer says how many requests it leaves out'), ('empty_on_subject', 'The source has nothing on what that part may be about')], max_length=20),
                ),
            ]
        )
    ]
