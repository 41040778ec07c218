// The bar above a notebook that runs here: how far Python is, whose copy this is, and ways out.

(() => {
  const path = new URLSearchParams(location.search).get("path") ?? ""
  const name = copies.nameOf(path)
  const PATIENCE = 30_000 // milliseconds without a word while Python is downloaded
  let worker, silence

  // Hear what the worker of the kernel says about itself (start.mjs)
  window.Worker = class extends Worker {
    constructor(...options) {
      super(...options)
      this.addEventListener("message", ({data}) => {
        if (data?.halfspaces) {
          worker = this
          hear(data.halfspaces)
        }
      })
    }
  }

  const send = () => worker?.postMessage({halfspaces: {progress: progress.text()}})
  addEventListener("storage", ({key}) => { if (key === progress.KEY || key === null) send() })

  const bar = document.createElement("header")
  bar.id = "halfspaces-bar"
  bar.innerHTML = `
    <button type="button" name="skip">To the notebook</button>
    <a class="home" href="${copies.home}">All notebooks</a>
    <span class="python"><span role="status" class="say">Python is starting.</span>
      <progress max="1" value="0" aria-label="Python, downloaded"></progress>
      <span class="size"></span></span>
    <span class="copy"><span class="whose">Your copy, kept in this browser</span>
      <button type="button" name="fresh">Fresh copy</button>
      <button type="button" name="download">Download</button>
      <button type="button" name="progress">Download progress</button></span>
    <details class="keys"><summary>Keys</summary><ul>
      <li>Shift and Enter run a cell, set a text again, and lead to the next.</li>
      <li>Up and Down walk from cell to cell, past those whose code is hidden.</li>
      <li>Enter begins to write in a cell, where Tab indents; Escape ends it.</li>
      <li>Tab leads on to links, answers, sliders and points; arrow keys move these two.</li>
    </ul></details>
    <p class="edition" role="status" hidden></p>
    <p class="twice" role="status" hidden>This notebook is open in another window, too. Write in one
      of them only.</p>
    <p class="unsaved" role="status" hidden>What you wrote last is not kept: the browser has no room
      left for it, or has blocked it. Download your copy.</p>`
  const part = selector => bar.querySelector(selector)
  document.documentElement.classList.add("halfspaces-run")
  addEventListener("DOMContentLoaded", () => {
    document.body.prepend(bar)
    new ResizeObserver(() => {
      document.documentElement.style.setProperty("--halfspaces-bar", `${bar.offsetHeight}px`)
      dispatchEvent(new Event("resize"))
    }).observe(bar)
  })

  function say(told, share) {
    clearTimeout(silence)
    const text = told.replace(/\s+/g, " ")
    if (part(".say").textContent !== text) part(".say").textContent = text
    part("progress").hidden = part(".size").hidden = share === undefined
    if (share !== undefined) part("progress").value = share
    bar.dataset.python = text
  }

  function awaitNews() {
    silence = setTimeout(() => say(`Python is not here yet, and nothing has come for half a minute:
      the network is slow, or blocks it. You can read and write; reload the page to try again.`),
    PATIENCE)
  }
  awaitNews()

  const megabytes = bytes => (bytes / 1e6).toFixed(0)

  function hear(message) {
    if (message.asks) send()
    if (message.changed) progress.change(...message.changed)
    if (message.expected) {
      const share = message.loaded / message.expected
      say("Downloading Python. Meanwhile you can read.", share)
      if (share < 0.95) awaitNews() // the rest is unpacked, which takes its time
      part(".size").textContent =
        `${megabytes(message.loaded)} of ${megabytes(message.expected)} MB`
    }
    if (message.starting) say("Python is starting. Meanwhile you can read.")
    if (message.failed)
      say(`Python cannot be loaded from ${message.from}, so no cell runs. You can read and write;
        reload the page to try again. (${message.failed})`)
    if (message.fetching) say(`Fetching ${message.fetching}, this once.`)
    else if (message.fetching === "") say("Python is ready.")
  }

  // The notebook, once JupyterLite has opened it
  async function opened() {
    for (;;) {
      const panel = window.jupyterapp?.shell?.currentWidget
      if (panel?.context) {
        await panel.context.ready
        return panel
      }
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }

  // Give pictures the text that stands for them, which JupyterLab leaves in the file
  function describe({content}) {
    const name = () => {
      for (const {outputArea, model} of content.widgets)
        outputArea?.widgets.forEach((shown, place) => {
          const alt = model.outputs.get(place)?.metadata?.["image/png"]?.alt
          const image = alt && shown.node.querySelector(".jp-RenderedImage img")
          if (image && image.alt !== alt) image.alt = alt
        })
    }
    name()
    new MutationObserver(name).observe(content.node, {childList: true, subtree: true})
  }

  const work = opened().then(panel => {
    const {context, sessionContext} = panel
    let timer, saving
    let changed = false // JupyterLab's own word, dirty, forgets what is written while it saves
    // One at a time, or JupyterLab takes its own last save for somebody else's
    async function save() {
      while (saving) await saving.catch(() => 0) // whoever waits with this one may have begun another
      if (!changed || context.isDisposed) return
      changed = false
      saving = context.save().finally(() => { saving = undefined })
      return saving
    }
    const saveSoon = () => {
      changed = true
      clearTimeout(timer)
      timer = setTimeout(save, 1000)
    }
    context.model.contentChanged.connect(saveSoon)
    context.saveState.connect((_, state) => {
      if (state === "failed") changed = true
      if (state !== "started") part(".unsaved").hidden = state !== "failed"
    })
    copies.differs(path, context.model.toJSON()).then(differs => { // written before this point
      if (differs) saveSoon()
    })
    for (const cell of panel.content.widgets) cell.model.trusted = true // it comes from this site
    describe(panel)
    document.addEventListener("visibilitychange", () => { if (document.hidden) save() })
    addEventListener("pagehide", save)
    sessionContext.ready.then(() => sessionContext.session.kernel.info)
      .then(() => say("Python is ready."))
    return {context, panel, save}
  })

  bar.addEventListener("click", async ({target}) => {
    if (target.name === "progress") return progress.download()
    if (!target.name) return
    const {context, panel, save} = await work
    if (target.name === "skip") return panel.activate() // whose cells Tab passes by
    if (target.name === "download") return copies.downloadBook(path, context.model.toJSON())
    await save()
    location.href = copies.start(name, target.name)
  })

  // Links from notebook to notebook lead to the reader's copies
  document.addEventListener("click", event => {
    const link = event.target.closest?.("a[href]")
    const linked = link && !bar.contains(link) && (link.getAttribute("href") ?? "")
    const file = linked && decodeURIComponent(linked.split(/[?#]/)[0]).split("/").pop()
    if (!file || !file.endsWith(".ipynb")) return
    event.preventDefault()
    event.stopImmediatePropagation()
    open(copies.start(file), "_blank")
  }, true)

  // Windows that show the same notebook hear of each other
  const windows = new BroadcastChannel("halfspaces-windows")
  windows.addEventListener("message", ({data}) => {
    if (data.path !== path) return
    part(".twice").hidden = data.word === "closed"
    if (data.word === "opened") windows.postMessage({path, word: "here"})
    if (data.word === "closed") windows.postMessage({path, word: "opened"}) // there may be a third
  })
  windows.postMessage({path, word: "opened"})
  addEventListener("pagehide", () => windows.postMessage({path, word: "closed"}))

  copies.editions.then(async editions => {
    const known = editions[name]
    document.title = known ? known.title : name
    if (known?.homework) part(".whose").textContent = `${part(".whose").textContent}; download it to hand it in`
    if (path !== copies.place(name)) {
      part(".whose").textContent = "An older copy of yours"
      return
    }
    if (await copies.state(name) !== "old") return
    part(".edition").hidden = false
    part(".edition").innerHTML = `There is a newer edition of this notebook. Yours stays as it is;
      <a href="${copies.start(name, "fresh")}">begin a copy of the new edition</a> beside it, or go on here.`
  })
})()
