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

  // Whether a notebook says something else than what is kept of it
  async function differs(path, book) {
    const kept = await read(path)
    return !!kept && mark(kept.content) !== mark(book)
  }

  function model(path, type, content) {
    const now = new Date().toISOString()
    return {
      name: path.split("/").pop(), path, type, content, created: now, last_modified: now,
      format: "json", mimetype: "application/json", writable: true,
      size: JSON.stringify(content).length,
    }
  }

  // "none"; "untouched" or "outdated", where nobody has written in it; "current" or "old"
  async function state(name) {
    const found = await read(place(name))
    if (!found) return "none"
    const stamp = found.content?.metadata?.[STAMP]
    const same = stamp?.edition === (await editions)[name]?.edition
    if (stamp && stamp.mark === mark(found.content)) return same ? "untouched" : "outdated"
    return same ? "current" : "old"
  }

  async function fresh(name) {
    const response = await fetchAnew(new URL(`books/${encodeURIComponent(name)}`, root))
    if (!response.ok) throw new Error(`There is no notebook ${name} here.`)
    const book = await response.json()
    book.metadata[STAMP] = {edition: (await editions)[name].edition, mark: mark(book)}
    return book
  }

  // Fail where this browser keeps nothing for this site
  async function probe() {
    localStorage.getItem("")
    await read(FOLDER)
  }

  const numberOf = path => Number(path.match(/-older-(\d+)\.ipynb$/)?.[1] ?? 0)

  async function older(name) {
    const stem = place(name.replace(/\.ipynb$/, "-older-"))
    const keys = await within("readonly", store => store.getAllKeys())
    return keys.filter(key => key.startsWith(stem)).sort((a, b) => numberOf(a) - numberOf(b))
  }

  // Put a fresh copy in its place; one with work in it is kept beside it
  async function begin(name) {
    const book = await fresh(name)
    const before = await read(place(name))
    if (before && ["current", "old"].includes(await state(name))) {
      const last = (await older(name)).pop() // one before it may have been deleted
      const path = place(name.replace(/\.ipynb$/, `-older-${1 + (last ? numberOf(last) : 0)}.ipynb`))
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

  const nameOf = path => path.split("/").pop().replace(/-older-\d+\.ipynb$/, ".ipynb")
  const downloadBook = (path, book) =>
    downloadText(nameOf(path), JSON.stringify(asFile(book), null, 1) + "\n")

  return {
    editions, differs, place, probe, read, remove, state, begin, older, downloadBook, nameOf,
    page: path => new URL(`notebooks/index.html?path=${encodeURIComponent(path)}`, root).href,
    start: (name, copy) => {
      const url = new URL(`index.html?path=${encodeURIComponent(name)}`, root)
      if (copy) url.searchParams.set("copy", copy)
      return url.href
    },
    home: new URL("index.html", root).href,
  }
})()
