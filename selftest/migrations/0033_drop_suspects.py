from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("selftest", "0032_backfill_combination_cause")]
    operations = [
        migrations.DeleteModel("CheckTally"),
        migrations.DeleteModel("IngredientTally"),
        migrations.DeleteModel("PairTally"),
        migrations.RemoveField("combination", "suspect"),
    ]
