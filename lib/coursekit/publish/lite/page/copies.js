// The reader's copies of the notebooks, in the database where JupyterLite keeps its files.
// A copy knows of which edition it is, and whether anybody has written in it.

const copies = (() => {
  const DATABASE = "halfspaces-course", STORE = "files", FOLDER = "my", STAMP = "site_copy"
  const root = new URL("..", document.currentScript.src)
  const KERNEL = {display_name: "Python 3 (ipykernel)", language: "python", name: "python3"}
  const fetchAnew = url => fetch(url, {cache: "no-cache"}) // or a cache would hide a new edition
  const editions = fetchAnew(new URL("page/editions.json", root)).then(reply => reply.json())
  const place = name => `${FOLDER}/${name}`

  const asPromise = request => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = request.onblocked = () => reject(request.error)
  })

  function openAt(version) {
    const request = indexedDB.open(DATABASE, version)
    request.onupgradeneeded = () => {
      const database = request.result
      if (!database.objectStoreNames.contains(STORE)) database.createObjectStore(STORE)
    }
    return asPromise(request)
  }

  async function within(mode, act) {
    let database = await openAt()
    if (!database.objectStoreNames.contains(STORE)) {
      const next = database.version + 1
      database.close()
      database = await openAt(next)
    }
    try {
      return await asPromise(act(database.transaction(STORE, mode).objectStore(STORE)))
    } finally {
      database.close()
    }
  }

  const read = path => within("readonly", store => store.get(path))
  const write = (path, model) => within("readwrite", store => store.put(model, path))
  const remove = path => within("readwrite", store => store.delete(path))

  // What stands in the cells, as a short number: enough to see that somebody has written
  function mark(book) {
    const text = JSON.stringify(book.cells.map(({source}) => [source].flat().join("")))
    let hash = 0xcbf29ce484222325n
    for (let i = 0; i < text.length; i += 1)
      hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n)
    return hash.toString(16)
  }

  function model(path, type, content) {
    const now = new Date().toISOString()
    return {
      name: path.split("/").pop(), path, type, content, created: now, last_modified: now,
      format: "json", mimetype: "application/json", writable: true,
      size: JSON.stringify(content).length,
    }
  }

  // "none"; "untouched"; "current" or "old", where somebody has written in it
  async function state(name) {
    const found = await read(place(name))
    if (!found) return "none"
    const stamp = found.content?.metadata?.[STAMP]
    if (stamp && stamp.mark === mark(found.content)) return "untouched"
    return stamp?.edition === (await editions)[name]?.edition ? "current" : "old"
  }

  async function fresh(name) {
    const response = await fetchAnew(new URL(`books/${encodeURIComponent(name)}`, root))
    if (!response.ok) throw new Error(`There is no notebook ${name} here.`)
    const book = await response.json()
    book.metadata[STAMP] = {edition: (await editions)[name].edition, mark: mark(book)}
    return book
  }

  async function older(name) {
    const stem = place(name.replace(/\.ipynb$/, "-older-"))
    const keys = await within("readonly", store => store.getAllKeys())
    return keys.filter(key => key.startsWith(stem)).sort()
  }

  // Put a fresh copy in its place; one with work in it is kept beside it
  async function begin(name) {
    const book = await fresh(name)
    const before = await read(place(name))
    if (before && await state(name) !== "untouched") {
      const count = 1 + (await older(name)).length
      const path = place(name.replace(/\.ipynb$/, `-older-${count}.ipynb`))
      await write(path, {...before, path, name: path.split("/").pop()})
    }
    if (!await read(FOLDER)) await write(FOLDER, model(FOLDER, "directory", null))
    await write(place(name), model(place(name), "notebook", book))
    await remove(`counters/${place(name)}`).catch(() => 0)
  }

  // As it came, but for what the reader wrote: so that it can be handed in
  function asFile(book) {
    const {[STAMP]: stamp, ...metadata} = book.metadata
    return {...book, metadata: {...metadata, kernelspec: KERNEL, language_info: {name: "python"}}}
  }

  function download(name, text) {
    const link = document.createElement("a")
    link.href = URL.createObjectURL(new Blob([text], {type: "application/json"}))
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  }

  const nameOf = path => path.split("/").pop().replace(/-older-\d+\.ipynb$/, ".ipynb")
  const downloadBook = (path, book) =>
    download(nameOf(path), JSON.stringify(asFile(book), null, 1) + "\n")

  return {
    editions, place, read, state, begin, older, download, downloadBook, nameOf,
    page: path => new URL(`notebooks/index.html?path=${encodeURIComponent(path)}`, root).href,
    start: (name, copy) => {
      const url = new URL(`index.html?path=${encodeURIComponent(name)}`, root)
      if (copy) url.searchParams.set("copy", copy)
      return url.href
    },
    home: new URL("index.html", root).href,
  }
})()

// What the reader has done, shared with the pages to read: in the form of progress.json

const progress = (() => {
  const KEY = "halfspaces-progress", VERSION = 1
  const text = () => localStorage.getItem(KEY) ?? ""

  // Return undefined where what is kept is no table
  function read() {
    try {
      const kept = JSON.parse(text() || "{}")
      return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : undefined
    } catch {
      return undefined
    }
  }

  const all = () => read() ?? {}

  // What a newer course has written stays as it is; what is broken is set aside
  function change(kind, name, entry) {
    const before = read()
    if (before?.version > VERSION) return
    if (!before) localStorage.setItem(`${KEY}-broken-${new Date().toISOString()}`, text())
    const kept = {version: VERSION, ...before}
    kept[kind] = {...kept[kind]}
    if (Object.keys(entry).length) kept[kind][name] = entry
    else delete kept[kind][name]
    localStorage.setItem(KEY, JSON.stringify(kept))
  }

  // Take over what a file says, entry by entry; return how many
  function merge(source) {
    const read = JSON.parse(source)
    let count = 0
    for (const [kind, entries] of Object.entries(read))
      if (kind !== "version")
        for (const [name, entry] of Object.entries(entries)) {
          change(kind, name, entry)
          count += 1
        }
    return count
  }

  const download = () => copies.download("progress.json", `${JSON.stringify(all(), null, 2)}\n`)
  return {KEY, text, all, change, merge, download}
})()
