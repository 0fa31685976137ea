"""People and roles in the Django admin: each person has one role, and who gives it gives nothing that they lack.

Someone who is no superuser can neither make one nor get into the account of one, nor of anyone who may do more.
"""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group, User
from django.http import HttpRequest

from review.roles import ADMIN, ROLES, give_role, may_do_no_more_than, permissions_of_role, role_of

if TYPE_CHECKING:  # these classes take no parameter at run time
    AnyUserAdmin = UserAdmin[User]
    AnyUserChangeForm = UserChangeForm[User]
    AnyAdminUserCreationForm = AdminUserCreationForm[User]
else:
    AnyUserAdmin, AnyUserChangeForm, AnyAdminUserCreationForm = UserAdmin, UserChangeForm, AdminUserCreationForm

CHOOSE = "Choose a role: a user without one can sign in and sees nothing."
ROLE_HELP = "viewer: reads. reviewer: reads and reviews. admin: changes targets, settings and users as well."

admin.site.unregister(User)
admin.site.unregister(Group)


class RoleField(forms.ChoiceField):
    """One of the roles that the person who fills in the form may give."""

    def __init__(self) -> None:
        super().__init__(label="Role", help_text=ROLE_HELP, required=False)

    def offer(self, giver: User) -> None:
        """Leaves out what would let a person do more than `giver` may."""
        mine = giver.get_all_permissions()
        names = [name for name in ROLES if giver.is_superuser or permissions_of_role(name) <= mine]
        self.choices = [("", "---------"), *((name, name) for name in names)]


class _OneRole:
    """Of a form that names a role. `giver`, who fills it in, is set by the admin that shows it."""

    giver: User
    fields: dict[str, Any]
    cleaned_data: dict[str, Any]
    data: Any
    instance: User

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].offer(self.giver)
        self.fields["role"].initial = role_of(self.instance)

    def clean_role(self) -> str:
        """Refuses to leave it out, but for a superuser, who needs none."""
        role: str = self.cleaned_data["role"]
        becomes_superuser = "is_superuser" in self.fields and bool(self.data.get("is_superuser"))
        if not role and not becomes_superuser:
            raise forms.ValidationError(CHOOSE, code="required")
        return role


class AddUserForm(_OneRole, AnyAdminUserCreationForm):
    """Name, password and role."""

    role = RoleField()


class ChangeUserForm(_OneRole, AnyUserChangeForm):
    """Who it is, and the role."""

    role = RoleField()


class RoleFilter(admin.RelatedFieldListFilter):
    """The list of one role's users."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = "role"


@admin.register(User)
class PersonAdmin(AnyUserAdmin):
    """Users, each with one role instead of groups and permissions."""

    add_form = AddUserForm
    form = ChangeUserForm
    list_display = ("username", "role_name", "email", "is_active", "is_staff", "is_superuser")
    list_filter = (("groups", RoleFilter), "is_active", "is_superuser")
    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined")
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("username", "role", "usable_password", "password1", "password2")}),
    )

    @admin.display(description="role")
    def role_name(self, user: User) -> str:
        """The strongest one."""
        return role_of(user)

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Who is a superuser is shown to superusers. Those who may only look see no password, even hashed."""
        if obj is None:
            return self.add_fieldsets
        may_change = self.has_change_permission(request, obj)
        powers = ("is_active", "is_staff", *(["is_superuser"] if _asker(request).is_superuser else []))
        return (
            (None, {"fields": ("username", *(["password", "role"] if may_change else []))}),
            ("Personal info", {"fields": ("first_name", "last_name", "email")}),
            ("Access", {"fields": powers}),
            ("Dates", {"fields": ("last_login", "date_joined")}),
        )

    def get_form(self, request: HttpRequest, obj: User | None = None, change: bool = False, **kwargs: Any) -> Any:
        """A form that offers the roles that the one who asks may give."""
        made = super().get_form(request, obj, change=change, **kwargs)
        return type(made.__name__, (made,), {"giver": _asker(request)})

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Not of someone who may do more than the one who asks."""
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Not of someone who may do more than the one who asks."""
        return super().has_delete_permission(request, obj) and _may_touch(request, obj)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Who becomes admin may open the admin's pages; who was one no longer, unless that is a superuser."""
        role, had_been = form.cleaned_data["role"], role_of(obj)
        if role == ADMIN:
            obj.is_staff = True
        elif had_been == ADMIN and not obj.is_superuser:
            obj.is_staff = False
        super().save_model(request, obj, form, change)

    def save_related(self, request: Any, form: Any, formsets: Any, change: bool) -> None:
        """Gives the role."""
        super().save_related(request, form, formsets, change)
        give_role(form.instance, form.cleaned_data["role"])


@admin.register(Group)
class RoleAdmin(GroupAdmin):
    """What each role may do. Only superusers change it: everyone else would give their own role more."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Superusers."""
        return _asker(request).is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Superusers."""
        return _asker(request).is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Superusers."""
        return _asker(request).is_superuser


def _asker(request: HttpRequest) -> User:
    return request.user  # type: ignore[return-value]  # the admin's pages are shown to no one else


def _may_touch(request: HttpRequest, person: User | None) -> bool:
    return person is None or may_do_no_more_than(person, _asker(request))
