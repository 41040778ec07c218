// Import in Pyodide what notebooks import, and write the bytecode of all that this loads:
// node bytecode.mjs PYODIDE LOCK TARGET
import {readFileSync} from "node:fs"
import {pathToFileURL} from "node:url"

const [pyodide, lock, target] = process.argv.slice(2)
const {loadPyodide} = await import(pathToFileURL(`${pyodide}/pyodide.mjs`))
const python = await loadPyodide({
  indexURL: `${pyodide}/`,
  lockFileURL: lock,
  packages: Object.keys(JSON.parse(readFileSync(lock, "utf-8")).packages),
  env: {HOME: "/home/pyodide", MPLBACKEND: "module://matplotlib_inline.backend_inline"},
})
python.registerJsModule("halfspaces_page", {later: []}) // which start.mjs has in a browser
python.FS.mkdir("/target")
python.FS.mount(python.FS.filesystems.NODEFS, {root: target}, "/target")
python.runPython(`
import marshal
import pkgutil
import sys
from importlib import import_module
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

import halfspaces.notebook
import halfspaces_site
import matplotlib.pyplot
import matplotlib_inline.backend_inline
import pyodide_kernel
import scipy.optimize

for package in (halfspaces, halfspaces.notebook):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        import_module(module.name)

NEVER_COMPARED = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)  # with the source beside it
LIBRARY, PACKAGES = Path("/lib/python314.zip"), Path("/lib/python3.14/site-packages")
for name, module in list(sys.modules.items()):
    spec = getattr(module, "__spec__", None)
    origin = Path(spec.origin or "") if spec else Path()
    if origin.suffix != ".py":
        continue
    if origin.is_relative_to(LIBRARY):  # a zip archive, in which bytecode stands beside the source
        place = "library" / origin.relative_to(LIBRARY).with_suffix(".pyc")
    else:
        place = "packages" / Path(cache_from_source(origin)).relative_to(PACKAGES)
    file = "/target" / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(NEVER_COMPARED + marshal.dumps(spec.loader.get_code(name)))
`)
process.exit(0) // Python's standard output is gone by now, and nothing waits
