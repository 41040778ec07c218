/* A deck shows the cells of a notebook a slide at a time. It knows nothing of JupyterLab: exported pages use it too.

   A cell is {node, code, slide}, where slide is the cell's "slideshow" metadata: its slide_type, of which only
   fragments matter here, show ("output" hides the code, as a hidden source does), and notes for the lecturer (minutes, say, board, expect,
   skip). Which cells make a slide is not decided here but in coursekit/lecture/deck.py: groups has, for each slide,
   the places of its cells. */
window.Deck = class Deck {
  static SIZES = [1.9, 1.75, 1.6, 1.45, 1.35, 1.25, 1.15]  // of the text, the largest that fits; 1.15 is 16 px on 720

  static PICTURES = [1.6, 1.45, 1.3, 1.15, 1]  // times their own size

  constructor({cells, groups, stage, content, before, leave}) {
    Object.assign(this, {stage, content, before, cells, leaveHost: leave})
    this.slides = groups.map(places => places.map(place => cells[place]))
    stage.classList.add('deck-stage')
    content.classList.add('deck-content')
    for (const cell of cells) cell.node.classList.toggle('deck-output-only', cell.slide.show === 'output')
    this.bar = this.makeBar()
    this.progress = document.body.appendChild(document.createElement('div'))
    this.progress.className = 'deck-progress'
    this.onKey = event => this.key(event)
    window.addEventListener('keydown', this.onKey, true)
    this.onResize = () => this.fit()
    window.addEventListener('resize', this.onResize)
    this.observer = new ResizeObserver(() => this.fit())
    this.observer.observe(content)
    this.started = Date.now()
    this.clock = setInterval(() => this.tellNotes(), 1000)
    this.go(0)
  }

  makeBar() {
    const bar = document.createElement('nav')
    bar.className = 'deck-bar'
    bar.setAttribute('aria-label', 'Slides')
    const button = (text, label, act) => {
      const made = bar.appendChild(document.createElement('button'))
      made.textContent = text
      made.title = made.ariaLabel = label
      made.addEventListener('mousedown', event => event.preventDefault())  // leave the focus where it is
      made.addEventListener('click', act)
    }
    button('◀', 'Previous slide (Page Up)', () => this.back())
    this.count = bar.appendChild(document.createElement('output'))
    button('▶', 'Next slide (Page Down)', () => this.next())
    button('☰', 'Speaker notes in a window of their own (S)', () => this.openNotes())
    if (this.leaveHost) button('✕', 'Leave the slides (Escape)', () => this.leave())
    document.body.append(bar)
    return bar
  }

  /* Page Up and Page Down, which is what a clicker sends, work everywhere; other keys only where nobody types or
     moves a slider. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const busy = event.target.closest?.('input, textarea, select, button, a, [contenteditable=true], [role=slider], ' +
      '.cm-editor, .jp-Dialog, .noUi-handle')
    const free = {ArrowRight: 'next', ArrowLeft: 'back', ' ': 'next', Home: 'first', End: 'last', s: 'openNotes', Escape: 'leave'}
    const act = {PageDown: 'next', PageUp: 'back'}[event.key] ?? (!busy && !event.shiftKey && free[event.key])
    if (!act) return
    event.preventDefault()
    event.stopImmediatePropagation()
    this[act]()
  }

  get fragments() { return this.slides[this.index].filter(cell => cell.slide.slide_type === 'fragment') }

  parts(selector) { return this.slides[this.index].flatMap(cell => [...cell.node.querySelectorAll(selector)]) }

  next() {
    if (this.shown < this.fragments.length) this.go(this.index, this.shown + 1)
    else if (this.index + 1 < this.slides.length) this.go(this.index + 1)
  }

  back() {
    if (this.shown > 0) this.go(this.index, this.shown - 1)
    else if (this.index > 0) this.go(this.index - 1, Infinity)
  }

  first() { this.go(0) }
  last() { this.go(this.slides.length - 1, Infinity) }

  go(index, shown = 0) {
    this.index = index
    this.shown = Math.min(shown, this.fragments.length)
    const hidden = new Set(this.fragments.slice(this.shown))
    const here = new Set(this.slides[index].filter(cell => !hidden.has(cell)))
    for (const cell of this.cells) cell.node.classList.toggle('deck-hidden', !here.has(cell))
    this.count.value = `${index + 1} / ${this.slides.length}`
    this.progress.style.width = `${100 * (index + 1) / this.slides.length}%`
    this.fit()
    for (let box = this.content; box && box !== document.body; box = box.parentElement) box.scrollTop = 0
    this.tellNotes()
    const last = this.cells.indexOf([...this.slides[index]].at(-1))
    this.ready = Promise.resolve(this.before?.(this.cells.slice(0, last + 1), [...here])).then(() => this.fit())
  }

  /* Take the largest size at which the slide needs no scrolling; if none will do, lay its numbers out more tightly.
     Text on a narrow screen becomes smaller rather than cut. */
  fit() {
    for (const line of this.parts('em')) {  // said to those who read by themselves
      if (line.textContent.startsWith('Timing to here:')) line.parentElement.classList.add('deck-hidden')
    }
    const narrow = window.innerWidth / window.innerHeight / (1280 / 720)
    const smaller = Deck.SIZES.map(size => size * narrow).filter(size => size < Deck.SIZES.at(-1))
    this.growPictures(1)
    for (const tight of [false, true]) {
      this.content.classList.toggle('deck-tight', tight)
      for (const size of [...Deck.SIZES, ...smaller]) {
        const zoom = String(size * window.innerHeight / 720)
        if (this.content.style.zoom !== zoom) this.content.style.zoom = zoom
        this.size = size
        if (!this.overflow().length) return this.growPictures()
      }
    }
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
      if (part.checkVisibility() && part.clientWidth && part.scrollWidth > part.clientWidth + 1) faults.push(`${name(part)} is ${part.scrollWidth - part.clientWidth} px wider than the slide`)
    }
    for (const picture of this.parts('img')) {
      if (picture.getBoundingClientRect().width && picture.complete && !picture.naturalWidth) faults.push('a picture is broken')
    }
    return faults
  }

  openNotes() {
    this.window = window.open('', 'deck-notes', 'width=760,height=620')
    if (!this.window) return
    const page = this.window.document
    page.title = 'Speaker notes'
    page.body.style.cssText = 'font: 22px/1.45 system-ui, sans-serif; margin: 1.2em; color-scheme: light dark'
    this.window.addEventListener('keydown', event => this.key(event))
    this.tellNotes()
  }

  /* Write the notes of this slide and the heading of the next into the lecturer's window, all of it as text. */
  tellNotes() {
    if (!this.window || this.window.closed) return
    const page = this.window.document, seconds = Math.floor((Date.now() - this.started) / 1000)
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    const line = (tag, text) => Object.assign(page.createElement(tag), {textContent: text})
    const notes = this.slides[this.index].map(cell => cell.slide)
    const named = {say: 'Say', board: 'Board', expect: 'Expect', skip: 'Skip in a lecture of'}
    const rows = notes.flatMap(slide => Object.entries(named).filter(([key]) => slide[key])
      .map(([key, name]) => line('p', `${name}: ${slide[key]}${key === 'skip' ? ' minutes' : ''}`)))
    const spent = this.slides.slice(0, this.index + 1).flat().reduce((sum, cell) => sum + (cell.slide.minutes ?? 0), 0)
    page.body.replaceChildren(
      line('p', `${clock} since the start; the plan is ${spent} min at the end of slide ${this.index + 1} of ${this.slides.length}`),
      line('h2', this.title(this.index)), ...rows, line('p', `Next: ${this.title(this.index + 1)}`))
  }

  title(index) {
    const nodes = (this.slides[index] ?? []).map(cell => 
      cell.node.querySelector('.jp-RenderedHTMLCommon, .widget-htmlmath, .jp-OutputArea-output') ?? cell.node)
    const heading = nodes.map(node => node.querySelector('h1, h2, h3')).find(Boolean) ?? nodes[0]
    return heading?.textContent.replace(/¶/g, '').trim().replace(/\s+/g, ' ').slice(0, 90) ?? 'the end'
  }

  leave() {
    if (!this.leaveHost) return
    window.removeEventListener('keydown', this.onKey, true)
    window.removeEventListener('resize', this.onResize)
    this.observer.disconnect()
    clearInterval(this.clock)
    this.bar.remove()
    this.progress.remove()
    this.stage.classList.remove('deck-stage')
    this.content.classList.remove('deck-content', 'deck-tight')
    this.content.style.zoom = ''
    for (const cell of this.cells) cell.node.classList.remove('deck-output-only')
    for (const node of this.content.querySelectorAll('.deck-hidden')) node.classList.remove('deck-hidden')
    this.leaveHost()
  }
}
