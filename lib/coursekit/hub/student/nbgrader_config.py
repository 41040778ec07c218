"""nbgrader's settings for a student on the hub."""

c = get_config()  # noqa: F821
c.Exchange.root = "/exchange"
c.CourseDirectory.course_id = "halfspaces"
# Spares the demand that all of the exchange be writable: here, only the student's own part is.
c.CourseDirectory.groupshared = True
