"""Documents that are searched, beside the ones that come with Gadfly: a target's own documentation."""

from django.db import models


class Documentation(models.Model):
    """Where a target's documentation was read from; an admin adds it. What was read is kept, to be read again."""

    class Origin(models.TextChoices):
        """How it came here."""

        FOLDER = "folder", "Folder on this machine"
        UPLOAD = "upload", "Upload"
        URL = "url", "Address"

    target = models.ForeignKey("selftest.Target", on_delete=models.CASCADE, related_name="documentation")
    name = models.CharField(max_length=100)
    origin = models.CharField(max_length=10, choices=Origin.choices)
    location = models.CharField(
        max_length=1000, blank=True, help_text="The folder or the address; of an upload, its file's name."
    )
    product = models.CharField(max_length=100, blank=True)
    version = models.CharField(max_length=100, blank=True)
    service = models.CharField(max_length=100, blank=True)
    language = models.CharField(max_length=10, default="en")
    read_at = models.DateTimeField(null=True, blank=True)
    problem = models.CharField(max_length=500, blank=True, help_text="Why it could not be read the last time.")

    class Meta:
        ordering = ["target", "name"]
        constraints = [models.UniqueConstraint(fields=["target", "name"], name="documentation_of_target")]
        verbose_name_plural = "documentation"

    def __str__(self) -> str:
        return self.name


class Document(models.Model):
    """One document as it was read last: Markdown, a specification of an API, or checks of the doctor."""

    path = models.CharField(max_length=500, help_text="In its source, with forward slashes.")
    documentation = models.ForeignKey(
        Documentation, null=True, blank=True, on_delete=models.CASCADE, related_name="documents",
        help_text="Empty: it came with Gadfly.",
    )  # fmt: skip
    media_type = models.CharField(max_length=50)
    title = models.CharField(max_length=500)
    language = models.CharField(max_length=10, default="en")
    sha256 = models.CharField(max_length=64)
    content = models.TextField(blank=True, help_text="Of a target's documentation; ours is read from its files.")
    read_at = models.DateTimeField()

    class Meta:
        ordering = ["path"]
        constraints = [
            models.UniqueConstraint(fields=["documentation", "path"], name="document_of_documentation"),
            models.UniqueConstraint(
                fields=["path"], condition=models.Q(documentation=None), name="document_of_gadfly"
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.path
