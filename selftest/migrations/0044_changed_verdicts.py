"""Keeps, with each change of a verdict, what the one before was."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('selftest', '0043_review_of_recipe'),
    ]

    operations = [
        migrations.AddField(
            model_name='bulkact',
            name='cause',
            field=models.ForeignKey(blank=True, db_index=False, help_text='With whose verdict it came.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='selftest.cause'),
        ),
        migrations.AddField(
            model_name='causeevent',
            name='before',
            field=models.JSONField(blank=True, help_text='Of a changed verdict: the columns of the one before, by name.', null=True),
        ),
        migrations.AddField(
            model_name='reviewevent',
            name='before',
            field=models.JSONField(blank=True, help_text='Of a changed verdict: the columns of the one before, by name.', null=True),
        ),
        migrations.AlterField(
            model_name='causeevent',
            name='kind',
            field=models.CharField(choices=[('found', 'Found'), ('reworded', 'Now explained otherwise'), ('split', 'Split'), ('merged', 'Merged'), ('came_back', 'New flags after the verdict'), ('seen_again', 'Seen again'), ('judged', 'Judged'), ('reopened', 'Verdict undone'), ('changed_back', 'Change of verdict undone'), ('assigned', 'Assigned'), ('unassigned', 'Unassigned'), ('moved', 'Flags moved'), ('reasoned', 'Reason added'), ('noted', 'Noted')], max_length=20),
        ),
        migrations.AlterField(
            model_name='reviewevent',
            name='kind',
            field=models.CharField(choices=[('flagged', 'Flagged'), ('came_back_clean', 'Came back clean'), ('resurfaced', 'Flagged again after its dismissal'), ('due', 'Later is due'), ('dismissed', 'Dismissed'), ('undismissed', 'Dismissal undone'), ('rejudged', 'Verdict changed'), ('changed_back', 'Change of verdict undone'), ('reasoned', 'Reason added'), ('taken', 'Assigned'), ('released', 'Unassigned'), ('noted', 'Noted'), ('reduced', 'Smallest query found')], max_length=20),
        ),
    ]
