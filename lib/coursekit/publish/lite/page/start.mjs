// Start Python in its worker: tell the page how far it is, keep progress with it, and fetch large
// packages when they are imported. JupyterLite's kernel takes this module for Pyodide's own.

const anew = {cache: "no-cache"} // or a cache would mix two editions of the site
const about = await (await fetch(new URL("start.json", import.meta.url), anew)).json()
const base = new URL(about.base, import.meta.url).href
const PROGRESS = "/home/pyodide/progress.json"
const tell = message => self.postMessage({halfspaces: message})

const expected = Object.values(about.sizes).reduce((sum, size) => sum + size, 0)
const fetchPlainly = self.fetch.bind(self)
let loaded = 0
let told = 0

function count(bytes) {
  loaded += bytes
  if (loaded - told < 200_000) return
  told = loaded
  tell({loaded: Math.min(loaded, expected), expected})
}

// Pass a response on, counting its bytes as they come
async function fetchCounting(...request) {
  const response = await fetchPlainly(...request)
  const name = new URL(response.url || location.href).pathname.split("/").pop()
  if (!(name in about.sizes) || !response.ok || !response.body) return response
  const counter = new TransformStream({
    transform(chunk, sink) { count(chunk.byteLength); sink.enqueue(chunk) },
  })
  const {status, statusText, headers} = response
  return new Response(response.body.pipeThrough(counter), {status, statusText, headers})
}

// Fetch a file while Python waits, which only a worker may
function fetchNow(file) {
  const request = new XMLHttpRequest()
  request.open("GET", new URL(file, import.meta.url), false)
  request.responseType = "arraybuffer"
  try {
    request.send()
  } catch { // no network: a status of 0
  }
  if (request.status !== 200)
    throw new Error(`${request.responseURL || file} cannot be fetched: is there a network?`)
  return request.response
}

export async function loadPyodide(options) {
  try {
    return await start(options)
  } catch (error) {
    const reason = error.message.trim().split("\n").pop()
    tell({failed: reason.slice(0, 200), from: new URL(base).host})
    throw error
  }
}

async function start(options) {
  let python, kept
  const keep = text => {
    kept = text
    if (python) text ? python.FS.writeFile(PROGRESS, text) : remove(python.FS, PROGRESS)
  }
  self.addEventListener("message", ({data}) => {
    if (data?.halfspaces) keep(data.halfspaces.progress)
  })
  tell({asks: "progress"})
  self.fetch = fetchCounting
  tell({loaded: 0, expected})
  const {loadPyodide: load} = await import(base + "pyodide.mjs")
  python = await load({
    ...options,
    indexURL: base,
    stdLibURL: about.library ? new URL(about.library, import.meta.url).href : undefined,
    lockFileURL: new URL(about.lock, import.meta.url).href,
    env: {HALFSPACES_PROGRESS: PROGRESS, MPLBACKEND: "module://matplotlib_inline.backend_inline"},
  })
  self.fetch = fetchPlainly
  const missing = options.packages.filter(name => !(name in python.loadedPackages))
  if (missing.length) throw new Error(`without ${missing.slice(0, 3).join(", ")}`)
  tell({starting: true})
  keep(kept)
  python.registerJsModule("halfspaces_page", {
    changed: (kind, name, entry) => tell({changed: [kind, name, JSON.parse(entry)]}),
    unpack: name => {
      tell({fetching: name})
      try {
        for (const file of about.later[name]) python.unpackArchive(fetchNow(file), "wheel")
      } finally {
        tell({fetching: ""})
      }
    },
    later: Object.keys(about.later),
  })
  python.pyimport("halfspaces_site").destroy()
  return python
}

function remove(files, path) {
  if (files.analyzePath(path).exists) files.unlink(path)
}
