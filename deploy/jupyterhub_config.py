"""The hub of the course. What an instructor sets stands in hub.toml; README.md says more."""

import sys

from coursekit.contents import EXERCISES
from coursekit.hub.accounts import FILE, Accounts
from coursekit.hub.command import PROXY, find_proxy
from coursekit.hub.places import NAME, find_places
from coursekit.hub.settings import read_settings
from coursekit.hub.spawner import CourseSpawner, limit
from coursekit.hub.walls import missing

settings = read_settings()
places = find_places(settings.data, EXERCISES)
if fault := missing(settings.data):
    sys.exit(fault)
places.prepare()

c = get_config()  # noqa: F821
c.JupyterHub.bind_url = settings.listen
if settings.address:
    c.JupyterHub.public_url = settings.address
if settings.domains:
    c.JupyterHub.subdomain_host = settings.address or settings.listen
    # Cookies that no other domain can set; on one domain for all they would go to everybody.
    c.JupyterHub.cookie_host_prefix_enabled = settings.address.startswith("https:")
c.JupyterHub.db_url = f"sqlite:///{places.hub}/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = f"{places.hub}/cookie_secret"
c.ConfigurableHTTPProxy.pid_file = f"{places.hub}/proxy.pid"
c.ConfigurableHTTPProxy.command = [find_proxy() or PROXY]

# Who may come in. For single sign-on, put another authenticator here: OAuthenticator, LTI.
c.JupyterHub.authenticator_class = Accounts
c.Accounts.file = str(places.hub / FILE)
c.Accounts.allow_all = True  # whoever has one
c.Accounts.delete_invalid_users = True  # whoever has none any more
c.Authenticator.username_pattern = f"^{NAME.pattern}$"

# What everybody gets: a server behind walls; instructors one of the course's owner, to grade.
c.JupyterHub.spawner_class = CourseSpawner
c.CourseSpawner.settings = settings
c.CourseSpawner.places = places
c.Spawner.default_url = "/lab"
c.Spawner.env_keep = []  # nothing of the hub's own environment
c.Spawner.start_timeout = c.Spawner.http_timeout = 180  # seconds, when all start at once
limit(c, settings)

# A hub that starts again finds the servers as they were.
c.JupyterHub.cleanup_servers = False
