"""Write JupyterLite into a folder: its application, the wheels, the notebooks, our own pages."""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from coursekit.publish.lite import bytecode, pyodide, wheels
from coursekit.publish.lite.contents import write_books

PAGE = Path(__file__).parent / "page"
PROGRESS = PAGE.parents[1] / "templates/site/progress.js"  # which the pages to read have, too
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
STORAGE = "halfspaces-course"  # the browser's database, for the readers' copies
EXTENSIONS = [
    "@jupyter-widgets/jupyterlab-manager",
    "@jupyterlite/pyodide-kernel-extension",
    "anywidget",
]
LATER = {"scipy"}  # loaded when it is imported: 14 MB, and few cells need it
HEAD = """\
<link rel="stylesheet" href="../page/run.css">
<script src="../page/progress.js"></script>
<script src="../page/copies.js"></script>
<script src="../page/run.js"></script>
"""


def run_link(name: str) -> str:
    """Return the address, within the folder of these pages, that opens a notebook or homework."""
    return f"index.html?path={quote(name)}"


def build_lite(target: Path, offline: bool) -> None:
    """Write the pages to run into a folder, whose content they replace."""
    packed = pyodide_files(offline)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        fresh = work / "site"
        build_application(work, fresh)
        write_python(fresh / "python", packed, offline)
        editions = write_books(fresh / "books")
        write_pages(fresh, editions)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(fresh, target)


def pyodide_files(offline: bool) -> Path | None:
    """Return Pyodide's files for the pages; where only bytecode needs them, a sentence will do."""
    reason = bytecode.missing()
    try:
        if offline or not reason:
            return pyodide.fetch()
    except pyodide.NotToBeHadError as error:
        if offline:
            raise
        reason = str(error).removesuffix(".")
    finally:
        if reason:
            print(f"Python will take longer to start in these pages: {reason}.", file=sys.stderr)
    return None


def build_application(work: Path, site: Path) -> None:
    """Let JupyterLite write its application, with three extensions and no content."""
    lite = work / "lite"
    lite.mkdir()
    (lite / "jupyter-lite.json").write_text(json.dumps(settings()))
    build = {
        "apps": ["notebooks"],
        "cache_dir": str(work / "cache"),
        "federated_extensions": [str(wheels.labextension(name)) for name in EXTENSIONS],
        "ignore_sys_prefix": True,
        "lite_dir": str(lite),
        "no_libarchive": True,
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
        "output_dir": str(site),
    }
    (lite / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": build}))
    argv = [sys.executable, "-m", "jupyterlite_core", "build"]
    done = subprocess.run(argv, cwd=lite, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"JupyterLite cannot be built:\n{done.stdout}\n{done.stderr}")


def settings() -> dict[str, Any]:
    """Return what JupyterLite reads when a page is opened."""
    kernel = {
        "pyodideUrl": "./python/start.mjs",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {
            "lockFileURL": "./python/pyodide-lock.json",
            "packages": [],  # filled in once the wheels are there
        },
    }
    page = {
        "appName": "Halfspaces",
        "contentsStorageName": STORAGE,
        "settingsStorageName": f"{STORAGE}-settings",
        "workspacesStorageName": f"{STORAGE}-workspaces",
        "exposeAppInBrowser": True,
        # Without it Python does not see the browser's files, and every import is quicker.
        "disabledExtensions": ["@jupyterlite/application-extension:service-worker-manager"],
        "litePluginSettings": {KERNEL: kernel},
        "settingsOverrides": {
            "@jupyter-notebook/application-extension:top": {"visible": "no"},
            "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},
            # All cells stay in the page, so that the browser's own search finds what they say.
            "@jupyterlab/notebook-extension:tracker": {"windowingMode": "defer"},
        },
    }
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": page}


def write_python(folder: Path, packed: Path | None, offline: bool) -> None:
    """Write the wheels, the lock that names them, and the script that starts Python.

    Given Pyodide's files, bytecode is among the wheels; offline, these files are, too.
    """
    folder.mkdir()
    own = wheels.write_wheels(folder)
    theirs = pyodide.packages()
    core = {name: file["size"] for name, file in pyodide.pinned()["core"].items()}
    library = ""
    if packed and not bytecode.missing():
        compiled, library = bytecode.write_bytecode(packed, folder, theirs | own, LATER)
        own |= compiled
        del core[bytecode.LIBRARY]
        for name in LATER:  # where a cell's text imports it, and so has it fetched
            theirs = theirs | {name: depending_on(theirs[name], bytecode.name_for(name))}
    base = "./" if offline else pyodide.source()
    if packed and offline:
        for name in [*core, *(package["file_name"] for package in theirs.values())]:
            shutil.copyfile(packed / name, folder / name)
    else:
        theirs = {
            name: package | {"file_name": base + package["file_name"]}
            for name, package in theirs.items()
        }
    together = theirs | own
    bare = {
        name: {key: value for key, value in package.items() if key != "size"}
        for name, package in together.items()
    }
    lock = {"info": pyodide.pinned()["info"], "packages": bare}
    text = json.dumps(lock, indent=1)
    (folder / "pyodide-lock.json").write_text(text)
    if library:
        core[library] = (folder / library).stat().st_size
    sizes = core | {
        Path(package["file_name"]).name: package["size"]
        for name, package in together.items()
        if not is_later(name)
    }
    later = {
        name: [bare[one]["file_name"] for one in (name, bytecode.name_for(name)) if one in bare]
        for name in LATER
    }
    edition = hashlib.sha256(text.encode()).hexdigest()[:12]
    locked = f"pyodide-lock.json?{edition}"  # which no cache takes for another one's
    about = {"base": base, "lock": locked, "library": library, "sizes": sizes, "later": later}
    (folder / "start.json").write_text(json.dumps(about, indent=1))
    shutil.copyfile(PAGE / "start.mjs", folder / "start.mjs")


def depending_on(package: wheels.Package, name: str) -> wheels.Package:
    """Return a package of a lock that has another one loaded with it."""
    return package | {"depends": [*package["depends"], name]}


def is_later(name: str) -> bool:
    """Tell whether a package is loaded when it is imported."""
    return name in LATER | set(map(bytecode.name_for, LATER))


def write_pages(site: Path, editions: dict[str, Any]) -> None:
    """Write our own pages and scripts, and put them into JupyterLite's."""
    (site / "page").mkdir()
    for name in ("copies.js", "index.css", "index.js", "run.css", "run.js"):
        shutil.copyfile(PAGE / name, site / "page" / name)
    shutil.copyfile(PROGRESS, site / "page" / PROGRESS.name)
    (site / "page/editions.json").write_text(json.dumps(editions, ensure_ascii=False, indent=1))
    shutil.copyfile(PAGE / "index.html", site / "index.html")
    icons = site / "static/favicons"  # which JupyterLab looks for there
    icons.mkdir(parents=True)
    for name in ("notebook", "busy-1", "busy-2", "busy-3"):
        shutil.copyfile(site / "notebooks/favicon.ico", icons / f"favicon-{name}.ico")
    page = site / "notebooks/index.html"
    text = page.read_text("utf-8")
    page.write_text(text.replace("<head>", f"<head>\n{HEAD}", 1), "utf-8")
    config = site / "jupyter-lite.json"
    whole = json.loads(config.read_text("utf-8"))
    kernel = whole["jupyter-config-data"]["litePluginSettings"][KERNEL]
    lock = json.loads((site / "python/pyodide-lock.json").read_text("utf-8"))
    kernel["loadPyodideOptions"]["packages"] = [
        name for name in sorted(lock["packages"]) if not is_later(name)
    ]
    config.write_text(json.dumps(whole, indent=1))
