// What a reader has done, in the form of progress.json, under one key of this browser: for the pages
// to read and for those to run.

const progress = (() => {
  const KEY = "halfspaces-progress", VERSION = 1
  let unkept = {} // what could not be written, and ends with the page

  const isTable = thing => thing !== null && typeof thing === "object" && !Array.isArray(thing)
  const isSound = kept => isTable(kept) && Object.entries(kept).every(([kind, entries]) =>
    kind === "version" ? typeof entries === "number" : isTable(entries) && Object.values(entries).every(isTable))
  const isNewer = kept => kept?.version > VERSION
  const now = () => new Date().toISOString().replace(/\.\d+Z$/, "+00:00")

  function text() { try { return localStorage.getItem(KEY) ?? "" } catch { return "" } }
  function read() { try { return JSON.parse(text() || "{}") } catch { return null } }

  function join(kept, more) {
    const joined = {version: VERSION, ...kept}
    for (const [kind, entries] of Object.entries(more))
      if (kind !== "version") joined[kind] = {...joined[kind], ...entries}
    return joined
  }

  function withoutEmpty(kept) {
    const full = entries => Object.fromEntries(Object.entries(entries).filter(([, entry]) => Object.keys(entry).length))
    return Object.fromEntries(Object.entries(kept).map(([kind, entries]) =>
      [kind, kind === "version" ? entries : full(entries)]))
  }

  function all() {
    const kept = read()
    return withoutEmpty(join(isSound(kept) ? kept : {}, unkept))
  }

  function merge(more) {
    unkept = join(unkept, more)
    if (write(all())) unkept = {}
  }

  // What a newer course has written stays as it is; what is broken is set aside, and never lost
  function write(kept) {
    const before = read()
    if (isNewer(before)) return false
    try {
      if (!isSound(before)) localStorage.setItem(`${KEY}-broken-${now()}`, text())
      localStorage.setItem(KEY, JSON.stringify(kept))
      return true
    } catch { return false }
  }

  return {
    KEY, now, text, all,
    entry: (kind, id) => all()[kind]?.[id] ?? {},
    change: (kind, id, entry) => merge({[kind]: {[id]: entry}}), // an empty one is forgotten
    isNewer: () => isNewer(read()),
    // Take over what a file says, entry by entry; return how many, or throw if it is another file
    take(source) {
      const more = JSON.parse(source)
      if (!isSound(more) || isNewer(more)) throw new Error("This is no progress.json of this edition.")
      merge(more)
      return Object.entries(more).reduce((sum, [kind, entries]) => kind === "version" ? sum : sum + Object.keys(entries).length, 0)
    },
    forget() {
      unkept = {}
      try { localStorage.removeItem(KEY) } catch { /* a browser that keeps nothing */ }
    },
    download: () => downloadText("progress.json", `${JSON.stringify(all(), null, 2)}\n`),
  }
})()

function downloadText(name, text) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], {type: "application/json"}))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
