from django.db import migrations


class StateOnly(migrations.SeparateDatabaseAndState):
    """Changes the state alone, and has its models rendered once afterwards instead of once a field.

    Where many fields change that saves seconds, at each first start too.
    """

    def state_forwards(self, app_label, state):
        state.__dict__.pop("apps", None)
        super().state_forwards(app_label, state)
