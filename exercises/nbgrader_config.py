"""nbgrader's settings for this course; add your own below, such as penalties."""

from pathlib import Path

c = get_config()  # noqa: F821
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.course_id = "halfspaces"

# Submissions run in a sandbox only, by python3 course.py grade: nbgrader's own button
# and command refuse.
c.Autograde.exporter_class = "coursekit.homework.grading.gradebook.Refusal"

# Releases are made by python3 course.py release: nbgrader's Generate would publish all
# that is in the source, grading.py and mark schemes included.
c.GenerateAssignment.exporter_class = (
    "coursekit.homework.grading.gradebook.RefusalToPublish"
)

# c.LateSubmissionPlugin.penalty_method = "zero"
