/* A deck shows the cells of a notebook a slide at a time. It knows nothing of JupyterLab: exported pages use it too.

   A cell is {node, code, slide, ink}: slide is the cell's "slideshow" metadata, of which fragments and show ("output"
   hides the code, as a hidden source does) matter here; ink is what was drawn on it. What slides there are, what they
   are called, and which of them a lecture shows when, is not decided here but in coursekit/lecture/outline.py.

   What only some hosts can do: before(cells up to here, cells in sight) makes cells ready, keep(cell) stores ink,
   edit(cells in sight) lets one type into a cell, phones(wanted) asks for the room's door, leave() ends the slides. The rest of the cockpit is beside this
   file: dialogs.js, overview.js, notes.js, pen.js. */
window.Deck = class Deck {
  static SIZES = [2.4, 2.2, 2.05, 1.9, 1.75, 1.6, 1.45, 1.35, 1.3]  // of the text, the largest that fits; 1.3 is 18 px on 720
  static PICTURES = [1.6, 1.45, 1.3, 1.15, 1]  // times their own size
  static SMALLER = [[.9, .85], [.9, .8, .7, .6]]  // for all of them, before numbers go below them, and where nothing else helps
  static ALONE = ['Timing to here:', 'Time:', 'Before this:']  // begin what is said to those who read by themselves
  static SAME_LECTURE = 2 * 3600e3  // after so long, place and clock of a lecture are forgotten
  static THEIRS = 'input, textarea, select, [contenteditable=true], [role=slider], .cm-editor, .jp-Dialog, .noUi-handle'
  static PRESSED = 'button, a, summary, .jp-OutputArea-output [tabindex]'  // what Enter and the space bar act on

  /* What keys do: the method, the keys, as they are called, and whether the notes' window has them too. */
  static KEYS = [
    ['next', ['PageDown', 'ArrowRight', ' '], 'Page Down → Space', 'the next step or slide', true],
    ['back', ['PageUp', 'ArrowLeft'], 'Page Up ←', 'back', true],
    ['first', ['Home'], 'Home', 'the first slide', true],
    ['last', ['End'], 'End', 'the last slide', true],
    ['goTo', ['g', ...'0123456789'], 'G or a number', 'go to a slide by its number or its title', true],
    ['showOverview', ['o'], 'O', 'all slides at a glance', true],
    ['askPlan', ['p'], 'P', 'how long the lecture is', true],
    ['openNotes', ['s'], 'S', 'speaker notes in a window of their own'],
    ['showPhones', ['r'], 'R', 'the room: let phones in, to follow and to vote', false, 'phones'],
    ['blackOut', ['b', '.'], 'B', 'a black screen; any key shows the slide again', true],
    ['draw', ['d'], 'D', 'draw, or put the pen down; 1 2 3 change its colour'],
    ['erase', ['e'], 'E', 'the eraser'],
    ['undo', ['u'], 'U', 'take the last stroke back'],
    ['clear', ['c'], 'C', 'clear what is drawn on this slide'],
    ['point', ['l'], 'L', 'a pointer that a large room can see'],
    ['edit', ['Enter'], 'Enter', 'type into the code on this slide; Escape stops', false, 'edit'],
    ['fullScreen', ['f'], 'F', 'full screen'],
    ['showHelp', ['?'], '?', 'this list', true],
    ['leave', ['Escape'], 'Escape', 'leave the slides; Alt R comes back to this place', false, 'leave'],
  ]

  /* Make an element: properties, then what is in it. */
  static make(page, tag, properties = {}, ...children) {
    const made = Object.assign(page.createElement(tag), properties)
    made.append(...children)
    return made
  }

  constructor({cells, outline, stage, content, name, style, minutes = null, ask = false, before, keep, edit, phones, leave}) {
    Object.assign(this, {stage, content, before, cells, name, style, plans: outline.plans})
    this.host = {keep, edit, phones, leave}
    this.about = outline.slides
    this.slides = this.about.map(slide => slide.cells.map(place => cells[place]))
    const kept = this.recall()
    this.plan = this.planOf(kept.minutes === undefined ? minutes : kept.minutes)
    this.started = kept.started ?? Date.now()
    this.paused = kept.paused ?? null
    this.dress(document)
    stage.classList.add('deck-stage')
    content.classList.add('deck-content')
    for (const cell of cells) cell.node.classList.toggle('deck-output-only', cell.slide.show === 'output')
    this.heading = Deck.make(document, 'h2', {className: 'deck-heading'})
    this.heading.dataset.windowedListIndex = -1  // JupyterLab finds the place of a cell by these, and without one seeks for ever
    content.prepend(this.heading)
    this.bar = this.makeBar()
    this.progress = document.body.appendChild(Deck.make(document, 'div', {className: 'deck-progress'}))
    this.pen = new Deck.Pen(this)
    this.notes = new Deck.Notes(this)
    this.listen()
    const index = Math.min(kept.index ?? this.plan.slides[0], this.slides.length - 1)
    this.go(index, kept.shown)
    if (kept.notes) this.notes.open()
    if (ask && kept.minutes === undefined) this.askPlan(document)
  }

  listen() {
    this.ends = new AbortController()
    const on = (type, act, options) => window.addEventListener(type, act, {signal: this.ends.signal, ...options})
    const settle = () => { this.fit(); this.pen.redraw() }
    on('keydown', event => this.key(event), {capture: true})
    on('dblclick', event => this.keepRendered(event), {capture: true})
    on('click', event => this.stay(event), {capture: true})
    for (const type of ['pointermove', 'pointerdown']) on(type, () => this.wake())
    on('resize', settle)
    on('scroll', () => this.pen.redraw(), {capture: true})
    this.observer = new ResizeObserver(settle)
    this.observer.observe(this.content)
    this.clock = setInterval(() => this.notes.tick(), 1000)
  }

  /* Put the style of bar, dialogs and notes into a page. */
  dress(page) {
    if (page.querySelector('style.deck-style')) return
    page.head.append(Deck.make(page, 'style', {className: 'deck-style', textContent: this.style}))
  }

  makeBar() {
    const bar = Deck.make(document, 'nav', {className: 'deck-bar', ariaLabel: 'Slides'})
    const button = (icon, label, act) => {
      const made = Deck.make(document, 'button', {type: 'button', innerHTML: icon, title: label, ariaLabel: label})
      made.addEventListener('mousedown', event => event.preventDefault())  // leave the focus where it is
      made.addEventListener('click', act)
      bar.append(made)
    }
    const icon = path => `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`
    button(icon('M10 3 5 8l5 5'), 'Back (Page Up)', () => this.back())
    button(icon('M6 3l5 5-5 5'), 'Next (Page Down)', () => this.next())
    button(icon('M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z'), 'All slides (O)', () => this.showOverview(document))
    button(icon('M3 13l1-3 7-7 2 2-7 7zM9.5 4.5l2 2'), 'Draw (D)', () => this.draw())
    button(icon('M3 3h10v10H3zM5 6h6M5 8h6M5 10h4'), 'Speaker notes in a window of their own (S)', () => this.openNotes())
    if (this.host.phones) button(icon('M5 1.5h6v13H5zM7.5 12.5h1'), 'Phones (R)', () => this.showPhones(document))
    button(icon('M5.5 6a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .8-1 1.7M8 12.5v.5'), 'Keys (?)', () => this.showHelp(document))
    if (this.host.leave) button(icon('M4 4l8 8M12 4l-8 8'), 'Leave the slides (Escape)', () => this.leave())
    this.count = bar.appendChild(Deck.make(document, 'output'))
    document.body.append(bar)
    return bar
  }

  /* Show the buttons to who reaches for them; else there is the number alone, so that nothing distracts. */
  wake() {
    this.bar.classList.add('deck-awake')
    clearTimeout(this.sleep)
    this.sleep = setTimeout(() => this.bar.classList.remove('deck-awake'), 3000)
  }

  /* Page Up and Page Down, which is what a clicker sends, work everywhere; other keys only where nobody types or
     moves a slider. No key without Ctrl, Alt or Meta reaches JupyterLab's shortcuts, which insert and delete cells;
     an editor keeps its own. */
  key(event) {
    const {target, view} = event, page = view.document, inEditor = target.closest?.('.cm-editor')
    const bare = !(event.ctrlKey || event.metaKey || event.altKey)
    this.mute(bare && !inEditor ? target : null)
    if (!bare || page.querySelector('dialog[open]') || ['Shift', 'CapsLock'].includes(event.key)) return
    const stop = () => { event.preventDefault(); event.stopImmediatePropagation() }
    if (this.black) {
      stop()
      return this.showAgain()
    }
    this.message?.remove()
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const [method, , , , inNotes, needs] = Deck.KEYS.find(([, keys]) => keys.includes(key)) ?? []
    const clicker = ['PageDown', 'PageUp'].includes(key)
    const theirs = target.closest?.(Deck.THEIRS) || [' ', 'Enter'].includes(key) && target.closest?.(Deck.PRESSED)
    if (theirs && !clicker) return
    if (this.pen.key(key)) return stop()
    if (!method || needs && !this.host[needs] || page !== document && !inNotes) return
    stop()
    this[method](page, key)
  }

  /* Keep JupyterLab's shortcuts away from keys that go to an element, until the next key. */
  mute(target) {
    this.muted?.removeAttribute('data-lm-suppress-shortcuts')
    this.muted = target
    this.muted?.setAttribute('data-lm-suppress-shortcuts', '')
  }

  /* A double click would show the source of a text. */
  keepRendered(event) {
    if (this.stage.contains(event.target) && event.target.closest('.jp-MarkdownCell')) event.stopImmediatePropagation()
  }

  /* A link to another notebook would put that in front of the slides; in an exported page it leads to other slides. */
  stay(event) {
    const link = event.target.closest?.('a[href]')
    if (!this.host.leave || !this.stage.contains(link) || new URL(link.href).origin !== location.origin) return
    event.preventDefault()
    event.stopImmediatePropagation()
    this.tell('Links to other notebooks rest while slides are shown: Escape leaves the slides, and Alt R comes back.')
  }

  get fragments() { return this.slides[this.index].filter(cell => cell.slide.slide_type === 'fragment') }

  get inSight() { return this.slides[this.index].filter(cell => !cell.node.classList.contains('deck-hidden')) }

  parts(selector) { return this.slides[this.index].flatMap(cell => [...cell.node.querySelectorAll(selector)]) }

  /* The place of the next slide of the plan, if there is one. */
  get following() { return this.plan.slides.find(place => place > this.index) }

  next() {
    if (this.shown < this.fragments.length) this.go(this.index, this.shown + 1)
    else if (this.following !== undefined) this.go(this.following)
  }

  back() {
    const before = this.plan.slides.findLast(place => place < this.index)
    if (this.shown > 0) this.go(this.index, this.shown - 1)
    else if (before !== undefined) this.go(before, Infinity)
  }

  first() { this.go(this.plan.slides[0]) }
  last() { this.go(this.plan.slides.at(-1), Infinity) }

  go(index, shown = 0) {
    this.index = index
    this.shown = Math.min(shown, this.fragments.length)
    const hidden = new Set(this.fragments.slice(this.shown))
    const here = new Set(this.slides[index].filter(cell => !hidden.has(cell)))
    for (const cell of this.cells) cell.node.classList.toggle('deck-hidden', !here.has(cell))
    this.heading.hidden = !this.about[index].heading
    this.heading.innerHTML = this.about[index].title
    this.tellPlace()
    this.fit()
    for (let box = this.content; box && box !== document.body; box = box.parentElement) box.scrollTop = 0
    this.pen.redraw()
    this.remember()
    window.dispatchEvent(new CustomEvent('deck:slide', {detail: {index, title: this.title(index)}}))
    const last = this.cells.indexOf([...this.slides[index]].at(-1))
    this.ready = Promise.resolve(this.before?.(this.cells.slice(0, last + 1), [...here])).then(() => {
      this.fit()
      this.pen.redraw()
    })
  }

  /* Say where we are: to the room, to who hears the page, and to the lecturer. */
  tellPlace() {
    const {labels, slides} = this.plan, label = labels[this.index], inside = slides.includes(this.index)
    const done = slides.filter(place => place <= this.index).length
    this.count.replaceChildren(
      Deck.make(document, 'span', {textContent: `${label} / ${slides.length}`, ariaHidden: 'true'}),
      Deck.make(document, 'span', {className: 'deck-unseen',
        textContent: `Slide ${label} of ${slides.length}${inside ? '' : ', outside of the plan'}: ${this.title(this.index)}`}))
    this.progress.style.width = `${100 * done / slides.length}%`
    this.notes.tell()
  }

  title(index) {
    const {body} = new DOMParser().parseFromString(this.about[index]?.title ?? 'the end', 'text/html')
    return body.textContent
  }

  planOf(minutes) { return this.plans.find(plan => plan.minutes === minutes) ?? this.plans.at(-1) }

  /* Give the lecture another length; the slide stays. */
  choose(minutes) {
    this.plan = this.planOf(minutes)
    this.remember()
    this.tellPlace()
  }

  get seconds() { return Math.floor(((this.paused ?? Date.now()) - this.started) / 1000) }

  pause() {
    if (this.paused) this.started += Date.now() - this.paused
    this.paused = this.paused ? null : Date.now()
    this.remember()
    this.notes.tick()
  }

  restart() {
    this.started = Date.now()
    this.paused = this.paused && this.started
    this.remember()
    this.notes.tick()
  }

  /* Place, plan and clock outlive a reload and Escape, in this tab. */
  remember() {
    const {index, shown, started, paused, plan: {minutes}} = this
    this.store('place', {index, shown, started, paused, minutes, notes: this.notes.isOpen, at: Date.now()})
  }

  recall() {
    const kept = this.stored('place')
    return kept && Date.now() - kept.at < Deck.SAME_LECTURE ? kept : {}
  }

  /* The deck that this tab shows, or showed when it was reloaded. */
  static shown() {
    try { return sessionStorage.getItem('deck:shown') } catch { return null }
  }

  store(what, value) {
    try {
      sessionStorage.setItem(`deck:${what}:${this.name}`, JSON.stringify(value))
      sessionStorage.setItem('deck:shown', this.name)
    } catch { /* then without */ }
  }

  stored(what) {
    try { return JSON.parse(sessionStorage.getItem(`deck:${what}:${this.name}`)) } catch { return null }
  }

  /* Take the largest size at which the slide needs no scrolling; if none will do, lay its numbers out more tightly.
     Text on a narrow screen becomes smaller rather than cut. */
  fit() {
    for (const line of this.parts('p')) {
      if (Deck.ALONE.some(words => line.textContent.startsWith(words))) line.classList.add('deck-hidden')
    }
    const narrow = window.innerWidth / window.innerHeight / (1280 / 720)
    const smaller = Deck.SIZES.map(size => size * narrow).filter(size => size < Deck.SIZES.at(-1))
    for (const [tight, scales] of Deck.SMALLER.entries()) {
      this.content.classList.toggle('deck-tight', Boolean(tight))
      this.growPictures(1)
      this.scaleViews(1)
      for (const size of [...Deck.SIZES, ...smaller]) {
        const zoom = String(size * window.innerHeight / 720)
        if (this.content.style.zoom !== zoom) this.content.style.zoom = zoom
        this.size = size
        if (!this.overflow().length) return this.growPictures()
      }
      for (const scale of scales) {
        this.growPictures(scale)
        this.scaleViews(scale)
        if (!this.overflow().length) return
      }
    }
  }

  /* Draw pictures that sliders move so many times as large as they are. */
  scaleViews(scale) {
    for (const view of this.parts('.live-stage')) view.style.zoom = scale === 1 ? '' : scale
  }

  /* Draw pictures so many times as large as they are, or as large as fits. */
  growPictures(...scales) {
    for (const scale of scales.length ? scales : Deck.PICTURES) {
      for (const image of this.parts('.jp-RenderedImage img[width]')) image.style.width = `${image.getAttribute('width') * scale}px`
      if (!this.overflow().length) return
    }
  }

  /* Say what of the slide is cut off, in words; nothing if all is in sight. */
  overflow() {
    const faults = [], width = window.innerWidth, height = window.innerHeight
    const bottom = Math.max(...this.slides[this.index].map(cell => cell.node.getBoundingClientRect().bottom))
    const top = this.content.getBoundingClientRect().top
    if (bottom - top > height - 4) faults.push(`the slide is ${Math.round(bottom - top)} px high, and ${height} fit`)
    const name = part => part.className.split?.(' ')[0] || part.tagName.toLowerCase()
    for (const part of this.parts('img, table, pre, mjx-container, math, p, li, .jupyter-widgets')) {
      const box = part.getBoundingClientRect()
      if (box.width && box.right > width + 1) faults.push(`${name(part)} reaches ${Math.round(box.right - width)} px too far right`)
    }
    for (const part of this.parts('.cm-scroller, .jp-OutputArea-output, .jp-RenderedMarkdown, .highlight pre, .jp-RenderedText pre, math, table')) {
      const clips = part.matches('pre') || getComputedStyle(part).overflowX !== 'visible'  // else the sides of the screen count
      if (clips && part.checkVisibility() && part.clientWidth && part.scrollWidth > part.clientWidth + 1) faults.push(`${name(part)} is ${part.scrollWidth - part.clientWidth} px wider than the slide`)
    }
    for (const picture of this.parts('img')) {
      if (picture.getBoundingClientRect().width && picture.complete && !picture.naturalWidth) faults.push('a picture is broken')
    }
    return faults
  }

  goTo(page, key) { new Deck.Overview(this, page).search(/\d/.test(key) ? key : '') }
  showOverview(page) { new Deck.Overview(this, page) }
  showHelp(page) { Deck.showHelp(this, page) }
  askPlan(page) { Deck.askPlan(this, page) }
  showPhones(page) { Deck.showPhones(this, page) }
  openNotes() { this.notes.open(true) }
  draw() { this.pen.take('pen') }
  erase() { this.pen.take('eraser') }
  point() { this.pen.take('pointer') }
  undo() { this.pen.undo() }
  clear() { this.pen.clear() }
  edit() { this.host.edit(this.inSight) }

  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen()
    else document.documentElement.requestFullscreen().catch(() => this.tell('The browser allows no full screen here.'))
  }

  blackOut() {
    this.black = document.body.appendChild(Deck.make(document, 'div', {className: 'deck-black', role: 'status'},
      Deck.make(document, 'span', {className: 'deck-unseen', textContent: 'The screen is black: any key shows the slide.'})))
    this.black.addEventListener('click', () => this.showAgain())
    this.notes.tell()
  }

  showAgain() {
    this.black.remove()
    this.black = null
    this.notes.tell()
  }

  /* Say a sentence at the foot of the slide, until the next key. */
  tell(sentence) {
    this.message?.remove()
    this.message = document.body.appendChild(Deck.make(document, 'p', {className: 'deck-message', role: 'alert', textContent: sentence}))
  }

  leave() {
    if (!this.host.leave) return
    this.ends.abort()
    this.observer.disconnect()
    clearInterval(this.clock)
    this.pen.remove()
    this.notes.rest()
    sessionStorage?.removeItem('deck:shown')
    for (const part of [this.heading, this.bar, this.progress, this.message, this.black]) part?.remove()
    this.mute(null)
    this.stage.classList.remove('deck-stage')
    this.content.classList.remove('deck-content', 'deck-tight')
    this.content.style.zoom = ''
    for (const cell of this.cells) cell.node.classList.remove('deck-output-only')
    for (const node of this.content.querySelectorAll('.deck-hidden')) node.classList.remove('deck-hidden')
    this.host.leave()
  }
}
