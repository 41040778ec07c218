/* The deck in JupyterLab, and the keystrokes of a typed edition.

   This is what a bundler would write for an extension without code of its own to bundle: JupyterLab calls init with
   the modules it shares, then get for the plugin. */
(() => {
  const folder = document.currentScript.src.replace(/[^/]*$/, '')
  const files = ['deck.js', 'dialogs.js', 'overview.js', 'notes.js', 'pen.js', 'stage.js', 'follow.js']
  let shared, style

  const load = async name => (await Object.values(shared[name])[0].get())()

  const script = name => new Promise((resolve, reject) => document.head.append(
    Object.assign(document.createElement('script'), {src: folder + name, onload: resolve, onerror: reject})))

  /* Ask the server what slides the cells make; the notebook may have changed since it was saved. */
  async function outlineOf(notebook, {ServerConnection}) {
    const settings = ServerConnection.makeSettings(), address = settings.baseUrl + 'halfspaces-deck/slides'
    const cells = notebook.widgets.map(({model}) =>
      ({cell_type: model.type, source: model.sharedModel.getSource(), metadata: model.sharedModel.getMetadata()}))
    const answer = await ServerConnection.makeRequest(address, {method: 'POST', body: JSON.stringify(cells)}, settings)
    if (!answer.ok) throw new Error(`Slides need the server of the course: python3 course.py lab (${answer.status})`)
    return answer.json()
  }

  let starting = false, stage = null

  async function start(app, modules, lecture) {
    if (starting) return  // a second press of the key
    starting = true
    try {
      await show(app, modules, lecture)
    } catch (error) {
      modules.showErrorMessage('No slides', error)
    } finally {
      starting = false
    }
  }

  /* Save what has changed, one save at a time: two at once would take each other for somebody else's. */
  let saving = Promise.resolve()

  function save(context) {
    saving = saving.then(() => context.model.dirty && context.contentsModel?.writable && context.save()).catch(() => {})
  }

  /* Show a lecture: its minutes, and whether to ask for them. */
  async function show(app, modules, lecture) {
    const panel = app.shell.currentWidget, notebook = panel.content
    notebook.notebookConfig = {...notebook.notebookConfig, windowingMode: 'none'}  // all cells are in the page
    const cells = notebook.widgets.map(widget => ({
      widget, node: widget.node, code: widget.model.type === 'code',
      slide: {...widget.model.getMetadata('slideshow'),
        ...widget.model.getMetadata('jupyter')?.source_hidden && {show: 'output'}},
      typed: widget.model.getMetadata('solution') !== undefined,
      ink: widget.model.getMetadata('ink') ?? [],
    }))
    const outline = await outlineOf(notebook, modules)
    const above = []
    for (let node = panel.node.parentElement; node !== document.body; node = node.parentElement) above.push(node)
    above.forEach(node => node.classList.add('deck-above'))
    stage = new Stage({panel, cells, modules})
    const keep = ({widget, ink}) => {
      if (ink.length) widget.model.setMetadata('ink', ink)
      else widget.model.deleteMetadata('ink')
      save(panel.context)  // a reload must not lose it
    }
    const edit = seen => {
      const {widget} = seen.find(cell => cell.typed) ?? seen.find(cell => cell.code && cell.slide.show !== 'output') ?? {}
      if (!widget) return
      notebook.activeCellIndex = notebook.widgets.indexOf(widget)
      notebook.mode = 'edit'
      widget.editor.focus()
    }
    notebook.mode = 'command'
    window.deck = new Deck({cells, outline, stage: panel.node, content: notebook.node.querySelector('.jp-WindowedPanel-viewport') ?? notebook.node,
      name: panel.context.path, style, ...lecture, keep, edit, phones: wanted => stage.door(wanted), before: (seen, here) => stage.show(seen, here), leave: () => {
        stage.end()
        stage = null
        above.forEach(node => node.classList.remove('deck-above'))
        delete window.deck
        panel.update()
        app.shell.fit?.()
        panel.activate()  // so that keys reach it
      }})
  }

  /* Return the text with one more line of the solution, after those that are there already. */
  function nextLine(text, solution) {
    const typed = text.replace(/\s+$/, '').split('\n'), lines = solution.split('\n')
    let same = 0
    while (same < typed.length && same < lines.length && typed[same].trimEnd() === lines[same].trimEnd()) same++
    const rest = typed.slice(same), begun = rest.length && lines[same]?.startsWith(rest[0].trimEnd())
    let end = same
    while (end < lines.length - 1 && !lines[end].trim()) end++  // empty lines come with the one after them
    return [...lines.slice(0, end + 1), ...rest.slice(begun ? 1 : 0)].join('\n')
  }

  function plugin(modules) {
    const {NotebookActions, ICommandPalette} = modules
    return {
      id: 'halfspaces-deck:plugin', autoStart: true, optional: [ICommandPalette],
      activate(app, palette) {
        const book = () => app.shell.currentWidget?.content?.widgets ? app.shell.currentWidget : null
        const active = () => book()?.content.activeCell
        const bring = make => {
          const {sharedModel} = active().model, solution = active().model.getMetadata('solution')
          const text = make(sharedModel.getSource(), solution)
          sharedModel.setSource(text)
          active().editor?.setCursorPosition({line: text.split('\n').length - 1, column: text.split('\n').at(-1).length})
        }
        const canBring = () => active()?.model.getMetadata('solution') !== undefined
        const commands = {
          'deck:toggle': {label: 'Slides: Start or Leave', keys: 'Alt R', isEnabled: () => Boolean(book()),
            execute: () => window.deck ? window.deck.leave() : start(app, modules, {ask: true})},
          'deck:next-line': {label: 'Typed Edition: Bring the Next Line', keys: 'Accel .', isEnabled: canBring,
            execute: () => bring(nextLine)},
          'deck:whole-cell': {label: 'Typed Edition: Bring the Whole Cell', keys: 'Accel Shift .', isEnabled: canBring,
            execute: () => bring((_, solution) => solution)},
        }
        for (const [command, {keys, ...options}] of Object.entries(commands)) {
          app.commands.addCommand(command, options)
          app.commands.addKeyBinding({command, keys: [keys], selector: '.jp-Notebook'})
          palette?.addItem({command, category: 'Lecture'})
        }
        // What is run by hand: the check below a typed cell runs too, and then what has waited for it.
        NotebookActions.executed.connect(async (_, {notebook, cell}) => {
          if (cell.model.type !== 'code') return
          const panel = book()
          await Stage.ran(panel, cell, modules)
          if (stage?.panel === panel) stage.again()
        })
        // The server says which notebook it was asked to show, and for how long; an address with ?slides says so too, and
        // what was shown before a reload is shown again.
        const {halfspacesSlides, halfspacesMinutes} = JSON.parse(document.getElementById('jupyter-config-data').textContent)
        const shown = Deck.shown(), asked = new URLSearchParams(location.search).has('slides')
        if (halfspacesSlides || asked || shown) app.restored.then(() => {
          const wait = setInterval(() => {
            const panel = book()
            if (!panel?.context?.isReady) return
            clearInterval(wait)
            if (!asked && ![halfspacesSlides, shown].includes(panel.context.path)) return
            start(app, modules, {minutes: halfspacesMinutes ?? null, ask: Boolean(halfspacesSlides) && !halfspacesMinutes})
          }, 100)
        })
      },
    }
  }

  ;(window._JUPYTERLAB ??= {})['halfspaces-deck'] = {
    init: scope => { shared = scope },
    get: async () => {
      document.head.append(Object.assign(document.createElement('link'), {rel: 'stylesheet', href: folder + 'deck.css'}))
      style = await (await fetch(folder + 'cockpit.css')).text()
      for (const name of files) await script(name)
      const names = ['@jupyterlab/notebook', '@jupyterlab/apputils', '@jupyterlab/services', '@jupyterlab/cells']
      const made = plugin(Object.assign({}, ...await Promise.all(names.map(load))))
      return () => ({__esModule: true, default: made})
    },
  }
})()
