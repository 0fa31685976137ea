

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('selftest', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Ingredient',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('sha256', models.CharField(help_text='Stands for the text in indexes.', max_length=64, unique=True)),
            ],
            options={
                'ordering': ['text'],
            },
        ),
        migrations.CreateModel(
            name='IngredientTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('check_name', models.CharField(blank=True, choices=[('', 'all runs'), ('crash', 'crash'), ('source_mismatch', 'source_mismatch'), ('part_count_mismatch', 'part_count_mismatch'), ('discourse_framing_dropped_kiwix', 'discourse_framing_dropped_kiwix'), ('conditional_remainder_missing_sections', 'conditional_remainder_missing_sections'), ('unexpected_empty', 'unexpected_empty'), ('latency_outlier', 'latency_outlier')], max_length=60, verbose_name='check')),
                ('runs', models.PositiveBigIntegerField(default=0)),
            ],
            options={
                'ordering': ['target', 'check_name', '-runs'],
            },
        ),
        migrations.CreateModel(
            name='RecipeTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('recipe_name', models.CharField(max_length=100)),
                ('check_name', models.CharField(blank=True, choices=[('', 'all runs'), ('crash', 'crash'), ('source_mismatch', 'source_mismatch'), ('part_count_mismatch', 'part_count_mismatch'), ('discourse_framing_dropped_kiwix', 'discourse_framing_dropped_kiwix'), ('conditional_remainder_missing_sections', 'conditional_remainder_missing_sections'), ('unexpected_empty', 'unexpected_empty'), ('latency_outlier', 'latency_outlier')], max_length=60, verbose_name='check')),
                ('day', models.DateField(help_text='On which the cycle ended, in UTC.')),
                ('runs', models.PositiveBigIntegerField(default=0)),
                ('flagged', models.PositiveBigIntegerField(default=0, help_text='Runs with any finding; of all runs only.')),
                ('novel', models.PositiveBigIntegerField(default=0, help_text='Combinations asked for the first time; of all runs only.')),
            ],
            options={
                'ordering': ['target', 'day', 'recipe_name', 'check_name'],
            },
        ),
        migrations.AlterModelOptions(
            name='combination',
            options={'ordering': ['-id'], 'permissions': [('review_combination', 'Can review: dismiss, undo, hold, note, run again')]},
        ),
        migrations.AddField(
            model_name='combination',
            name='flagged_check',
            field=models.CharField(blank=True, choices=[('crash', 'crash'), ('source_mismatch', 'source_mismatch'), ('part_count_mismatch', 'part_count_mismatch'), ('discourse_framing_dropped_kiwix', 'discourse_framing_dropped_kiwix'), ('conditional_remainder_missing_sections', 'conditional_remainder_missing_sections'), ('unexpected_empty', 'unexpected_empty'), ('latency_outlier', 'latency_outlier')], help_text="That its last flagged run's reason begins with; empty: never flagged.", max_length=60, verbose_name='check'),
        ),
        migrations.AddField(
            model_name='combination',
            name='held_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='combination',
            name='held_by',
            field=models.ForeignKey(blank=True, help_text='Who said that they look into it.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='combination',
            name='times_flagged',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='cycle',
            name='combination',
            field=models.ForeignKey(blank=True, help_text='The only one that it asks, as often as it asks anything.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='selftest.combination'),
        ),
        migrations.AddField(
            model_name='cycle',
            name='replay_of',
            field=models.ForeignKey(blank=True, help_text='The cycle whose queries it asks once more, in their order.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='replays', to='selftest.cycle'),
        ),
        migrations.AlterField(
            model_name='reviewevent',
            name='kind',
            field=models.CharField(choices=[('flagged', 'Flagged'), ('came_back_clean', 'Came back clean'), ('resurfaced', 'Flagged again after its dismissal'), ('dismissed', 'Dismissed'), ('undismissed', 'Dismissal undone'), ('taken', 'Taken'), ('released', 'Released'), ('noted', 'Noted')], max_length=20),
        ),
        migrations.CreateModel(
            name='BulkAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('dismiss', 'Dismiss'), ('undismiss', 'Undo the dismissal'), ('take', 'Take'), ('release', 'Release')], max_length=20)),
                ('state', models.CharField(choices=[('frozen', 'Waits for a yes'), ('done', 'Done'), ('undone', 'Undone')], default='frozen', max_length=20)),
                ('actor', models.CharField(help_text='The name as it was then.', max_length=200)),
                ('note', models.TextField(blank=True)),
                ('selection', models.TextField(blank=True, help_text='How the list came about, in words.')),
                ('created_at', models.DateTimeField()),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.AddField(
            model_name='reviewevent',
            name='act',
            field=models.ForeignKey(blank=True, help_text='Done to many at once.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='selftest.bulkact'),
        ),
        migrations.CreateModel(
            name='BulkItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seen_run', models.BigIntegerField(help_text='Its last flagged run when it was listed.', null=True)),
                ('outcome', models.CharField(choices=[('waiting', 'Not done yet'), ('done', 'Done'), ('skipped', 'Changed since it was listed; left alone'), ('undone', 'As it was before'), ('kept', 'Changed since; its undo was left out')], default='waiting', max_length=20)),
                ('status_before', models.CharField(blank=True, choices=[('dismissed', 'Dismissed')], max_length=20, null=True)),
                ('held_at_before', models.DateTimeField(blank=True, null=True)),
                ('act', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='selftest.bulkact')),
                ('combination', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='selftest.combination')),
                ('held_by_before', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['act', 'id'],
            },
        ),
        migrations.AddField(
            model_name='combination',
            name='ingredients',
            field=models.ManyToManyField(blank=True, help_text='Kept here only for what was ever flagged.', related_name='combinations', to='selftest.ingredient'),
        ),
        migrations.AddField(
            model_name='combination',
            name='suspect',
            field=models.ForeignKey(blank=True, db_index=False, help_text="Of its ingredients, the one that goes most strongly with this check's flags.", null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='selftest.ingredient'),
        ),
        migrations.AddIndex(
            model_name='combination',
            index=models.Index(fields=['recipe_name', '-id'], name='combination_of_recipe'),
        ),
        migrations.AddIndex(
            model_name='combination',
            index=models.Index(condition=models.Q(('ever_flagged', True)), fields=['target', 'flagged_check', 'suspect', 'review_status', 'currently_flagged', 'last_run_timestamp', 'first_flagged_timestamp', 'times_flagged', 'recipe_name', 'last_source_used', 'held_by', 'last_flagged_run', 'id'], name='combination_review'),
        ),
        migrations.AddField(
            model_name='ingredienttally',
            name='ingredient',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='selftest.ingredient'),
        ),
        migrations.AddField(
            model_name='ingredienttally',
            name='target',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='selftest.target'),
        ),
        migrations.AddField(
            model_name='recipetally',
            name='target',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='selftest.target'),
        ),
        migrations.AddConstraint(
            model_name='bulkitem',
            constraint=models.UniqueConstraint(fields=('act', 'combination'), name='bulk_item_once'),
        ),
        migrations.AddConstraint(
            model_name='ingredienttally',
            constraint=models.UniqueConstraint(fields=('target', 'check_name', 'ingredient'), name='ingredient_tally_once'),
        ),
        migrations.AddConstraint(
            model_name='recipetally',
            constraint=models.UniqueConstraint(fields=('target', 'day', 'recipe_name', 'check_name'), name='recipe_tally_once'),
        ),
    ]
