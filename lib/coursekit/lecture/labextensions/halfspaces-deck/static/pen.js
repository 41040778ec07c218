/* What is drawn on slides. A stroke belongs to the paragraph, table or picture where it begins, and is kept in its
   measure, so that it stays there whatever the size of the window: {on: [tag, which of them in the cell], colour,
   points: [x, y, x, y, …]}. */
Deck.Pen = class Pen {
  static COLOURS = ['ink', 'blue', 'orange']  // can be told apart also by those who see no red or green
  static ANCHORS = 'p, li, h1, h2, h3, table, img, svg, canvas, pre'
  static PICTURES = 'img, svg, canvas'
  static SVG = 'http://www.w3.org/2000/svg'
  static WIDTH = 3  // of a line, in pixels of a window 720 high

  constructor(deck) {
    this.deck = deck
    this.tool = null
    this.colour = 'blue'
    this.drawn = []  // [cell, stroke] in the order they came
    this.sheet = document.body.appendChild(document.createElementNS(Pen.SVG, 'svg'))
    this.sheet.classList.add('deck-ink')
    this.sheet.ariaHidden = 'true'
    this.dot = document.body.appendChild(Deck.make(document, 'div', {className: 'deck-pointer', hidden: true}))
    this.ends = new AbortController()
    const on = (node, type, act) => node.addEventListener(type, act, {signal: this.ends.signal})
    on(this.sheet, 'pointerdown', event => this.begin(event))
    on(this.sheet, 'pointermove', event => this.move(event))
    for (const type of ['pointerup', 'pointercancel']) on(this.sheet, type, () => this.end())
    on(window, 'pointermove', event => this.aim(event))
    const kept = deck.host.keep ? null : deck.stored('ink')
    deck.cells.forEach((cell, place) => { cell.ink = kept?.[place] ?? cell.ink ?? [] })
  }

  /* Take a tool, or put it down if it is taken. */
  take(tool) {
    this.tool = this.tool === tool ? null : tool
    this.sheet.classList.toggle('deck-drawing', ['pen', 'eraser'].includes(this.tool))
    this.sheet.dataset.tool = this.tool ?? ''
    this.dot.hidden = true
    this.bar?.remove()
    this.bar = null
    if (this.tool === 'pen' || this.tool === 'eraser') this.bar = this.makeBar()
  }

  makeBar() {
    const bar = Deck.make(document, 'div', {className: 'deck-pens', role: 'toolbar', ariaLabel: 'Pen'})
    const button = (text, pressed, act) => {
      const made = Deck.make(document, 'button', {type: 'button', textContent: text})
      if (pressed !== null) made.ariaPressed = String(pressed)
      made.addEventListener('mousedown', event => event.preventDefault())
      made.addEventListener('click', act)
      bar.append(made)
      return made
    }
    for (const colour of Pen.COLOURS) {
      button(colour, this.tool === 'pen' && colour === this.colour, () => this.pick(colour)).dataset.colour = colour
    }
    button('eraser', this.tool === 'eraser', () => this.take('eraser'))
    button('undo', null, () => this.undo())
    button('clear', null, () => this.clear())
    button('done', null, () => this.take(this.tool))
    document.body.append(bar)
    return bar
  }

  pick(colour) {
    this.colour = colour
    this.tool = null
    this.take('pen')
  }

  /* Act on a key while a tool is in the hand; tell whether it was one. */
  key(key) {
    if (!this.tool) return false
    if (key === 'Escape') this.take(this.tool)
    else if (this.tool !== 'pointer' && Pen.COLOURS[key - 1]) this.pick(Pen.COLOURS[key - 1])
    else return false
    return true
  }

  /* Find what stands below a point: [cell, anchor]. */
  below(x, y) {
    const cells = this.deck.inSight
    const under = document.elementsFromPoint(x, y).filter(node => !this.sheet.contains(node))
    const cell = cells.find(({node}) => under.some(one => node.contains(one))) ?? this.nearest(cells, y)
    const anchor = under.map(one => one.closest(Pen.ANCHORS)).find(one => one && cell.node.contains(one))
    return [cell, anchor && this.named(cell, anchor)]
  }

  nearest(cells, y) {
    const away = ({node}) => {
      const {top, bottom} = node.getBoundingClientRect()
      return Math.max(top - y, y - bottom, 0)
    }
    return cells.reduce((best, cell) => away(cell) < away(best) ? cell : best)
  }

  shownIn(cell, tag) {
    return [...cell.node.querySelectorAll(`:is(.jp-RenderedHTMLCommon, .jp-OutputArea-output) ${tag}`)]
  }

  named(cell, anchor) {
    const tag = anchor.tagName.toLowerCase(), at = this.shownIn(cell, tag).indexOf(anchor)
    return at < 0 ? null : [tag, at]
  }

  /* Where a stroke has its origin now, and how large its unit is: a picture's width, or a pixel of the text. */
  frame(cell, on) {
    const anchor = on && this.shownIn(cell, on[0])[on[1]]
    const {left, top, width} = (anchor ?? cell.node).getBoundingClientRect()
    const unit = anchor?.matches(Pen.PICTURES) ? width : Number(this.deck.content.style.zoom || 1)
    return {left, top, unit}
  }

  begin(event) {
    if (event.button > 0 && event.button !== 5) return
    event.preventDefault()
    this.sheet.setPointerCapture(event.pointerId)
    this.erasing = this.tool === 'eraser' || event.button === 5  // the other end of a stylus
    if (this.erasing) return this.rub(event)
    const [cell, on] = this.below(event.clientX, event.clientY)
    this.stroke = {on: on ?? null, colour: this.colour, points: []}
    this.cell = cell
    cell.ink.push(this.stroke)
    this.extend(event)
  }

  move(event) {
    if (!this.sheet.hasPointerCapture(event.pointerId)) return
    if (this.erasing) return this.rub(event)
    if (!this.stroke) return
    const passed = event.getCoalescedEvents?.() ?? []
    for (const each of passed.length ? passed : [event]) this.extend(each)
  }

  extend({clientX, clientY}) {
    const {left, top, unit} = this.frame(this.cell, this.stroke.on), digits = unit > 20 ? 1e4 : 10
    this.stroke.points.push(...[(clientX - left) / unit, (clientY - top) / unit].map(at => Math.round(at * digits) / digits))
    this.redraw()
  }

  end() {
    if (this.stroke) this.drawn.push([this.cell, this.stroke])
    if (this.stroke) this.keep(this.cell)
    this.stroke = null
    this.erasing = false
  }

  rub({clientX, clientY}) {
    for (const node of document.elementsFromPoint(clientX, clientY)) {
      if (node.stroke) this.drop(node.cell, node.stroke)
    }
  }

  drop(cell, stroke) {
    cell.ink = cell.ink.filter(one => one !== stroke)
    this.drawn = this.drawn.filter(([, one]) => one !== stroke)
    this.keep(cell)
    this.redraw()
  }

  undo() {
    const last = this.drawn.findLast(([cell]) => this.deck.slides[this.deck.index].includes(cell))
    if (last) this.drop(...last)
  }

  clear() {
    for (const cell of this.deck.slides[this.deck.index]) {
      for (const stroke of cell.ink) this.drop(cell, stroke)
    }
  }

  /* Where nobody keeps ink in the notebook, this tab does. */
  keep(cell) {
    if (this.deck.host.keep) this.deck.host.keep(cell)
    else this.deck.store('ink', this.deck.cells.map(({ink}) => ink))
  }

  redraw() {
    this.sheet.replaceChildren(...this.deck.inSight.flatMap(cell => cell.ink.map(stroke => this.path(cell, stroke))))
  }

  path(cell, stroke) {
    const {left, top, unit} = this.frame(cell, stroke.on), path = document.createElementNS(Pen.SVG, 'path')
    const at = stroke.points.map((value, place) => (value * unit + (place % 2 ? top : left)).toFixed(1))
    const corners = at.flatMap((x, place) => place % 2 ? [] : [`${x} ${at[place + 1]}`])
    path.setAttribute('d', `M${corners.concat(corners.slice(-1)).join('L')}`)  // a single point is a dot
    path.dataset.colour = stroke.colour
    path.style.strokeWidth = `${Pen.WIDTH * window.innerHeight / 720}px`
    return Object.assign(path, {cell, stroke})
  }

  aim({clientX, clientY}) {
    if (this.tool !== 'pointer') return
    this.dot.hidden = false
    this.dot.style.translate = `${clientX}px ${clientY}px`
  }

  remove() {
    this.ends.abort()
    for (const part of [this.sheet, this.dot, this.bar]) part?.remove()
  }
}
