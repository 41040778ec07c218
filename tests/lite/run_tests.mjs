// Run pytest in Pyodide: node run_tests.mjs PYODIDE LOCK COURSE ARGUMENT…
import {pathToFileURL} from "node:url"

const [pyodide, lock, course, ...args] = process.argv.slice(2)
const {loadPyodide} = await import(pathToFileURL(`${pyodide}/pyodide.mjs`))
const python = await loadPyodide({
  indexURL: `${pyodide}/`,
  lockFileURL: lock,
  packages: ["halfspaces-course", "hypothesis", "ipython", "pytest", "scikit-learn", "scipy"],
  env: {HOME: "/home/pyodide", HALFSPACES_PROGRESS: ""}, // nothing done here is the reader's
})
python.FS.mkdir("/course")
python.FS.mount(python.FS.filesystems.NODEFS, {root: course}, "/course")
python.globals.set("ARGUMENTS", python.toPy(args))
const code = await python.runPythonAsync(`
import os, sys
os.chdir("/course")
sys.path.insert(0, "/course/lib")  # before the wheel, which has a coursekit of its own
sys.dont_write_bytecode = True
import pytest
int(pytest.main(ARGUMENTS))
`)
process.exit(code)
