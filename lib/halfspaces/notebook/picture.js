// A live picture: its controls, its drawing, its numbers. What a frame is, scene.py says.
// In a notebook frames come from the kernel, ahead of the hand where they can; on a page all are there.

const REST = 500 // ms without an event, after which what is shown is announced
const BREATH = 150 // ms after an event, in which nothing is prepared
const PATIENCE = 8000 // ms to wait for the kernel before saying so
const BATCH = 8, ASKED = 2 // frames prepared by one message; messages on their way, and so many for the hand
const ROOM = 16e6 // characters of frames kept
const PACE = 500 // ms for a step when it plays
const ALONE = "here points move one at a time; where Python runs, they come and go"

// Drawing: layers of text become SVG

const escape = text => String(text).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`)
const paint = colour => colour === "-" ? "none" : `var(--live-${colour.slice(1)},${colour})`
const CAPS = {b: "butt", r: "round", p: "square"}, JOINS = {m: "miter", r: "round", b: "bevel"}

function css(style) {
  const [fill, fillOpacity, stroke, strokeOpacity, width, [cap, join, crisp], dash] = style.split(" ")
  return `fill:${paint(fill)};fill-opacity:${fillOpacity};stroke:${paint(stroke)};stroke-opacity:${strokeOpacity};` +
    `stroke-width:${width};stroke-linecap:${CAPS[cap]};stroke-linejoin:${JOINS[join]}` +
    (dash ? `;stroke-dasharray:${dash}` : "") + (crisp ? ";shape-rendering:crispEdges" : "")
}

class Drawing {
  constructor(first, alt) {
    this.id = "live" + Math.random().toString(36).slice(2)
    this.base = first.layers
    this.glyphs = {...first.glyphs}
    this.markup = new Map()
    this.shown = []
    const [width, height] = first.size
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
    this.svg.setAttribute("width", width / 10)
    this.svg.setAttribute("height", height / 10)
    this.svg.setAttribute("role", "img")
    this.svg.setAttribute("aria-label", alt)
    this.svg.innerHTML = `<title>${escape(alt)}</title>`
  }

  show(frame) {
    Object.assign(this.glyphs, frame.glyphs)
    const layers = frame.layers.map(layer => typeof layer === "number" ? this.base[layer] : layer)
    while (this.shown.length < layers.length) {
      this.svg.append(document.createElementNS(this.svg.namespaceURI, "g"))
      this.shown.push("")
    }
    while (this.shown.length > layers.length) {
      this.svg.lastElementChild.remove()
      this.shown.pop()
    }
    const groups = this.svg.querySelectorAll(":scope > g")
    layers.forEach((layer, i) => {
      if (layer !== this.shown[i]) groups[i].innerHTML = this.toMarkup(layer)
      this.shown[i] = layer
    })
  }

  toMarkup(layer) {
    let found = this.markup.get(layer)
    if (found === undefined) {
      if (this.markup.size > 500) this.markup.clear()
      found = layer.split("\n").map(line => this.line(line)).join("")
      this.markup.set(layer, found)
    }
    return found
  }

  line(line) {
    const [kind, clip, head, ...rest] = line.split("|")
    const drawn = kind ? this[kind](head, rest) : ""
    if (!clip) return drawn
    const [x, y, width, height] = clip.split(" ")
    return `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${clip}">${drawn}</svg>`
  }

  p(style, outlines) {
    const drawn = outlines.map(outline => `<path d="${outline}"/>`).join("")
    const hatch = style.split(" ")[7]
    return `<g style="${css(style)}">${drawn}</g>` + (hatch ? this.hatched(hatch, drawn) : "")
  }

  hatched(colour, drawn) {
    const id = `${this.id}-${colour.slice(1)}`
    return `<pattern id="${id}" width="166" height="166" patternUnits="userSpaceOnUse">` +
      `<path d="M-20 186L186-20M-20 20L20-20M146 186L186 146" style="stroke:${paint(colour)};stroke-width:14"/>` +
      `</pattern><g style="fill:url(#${id})">${drawn}</g>`
  }

  m(style, [outline, places]) {
    const numbers = places.split(" ")
    let drawn = ""
    for (let i = 0; i < numbers.length; i += 2)
      drawn += `<path d="${outline}" transform="translate(${numbers[i]} ${numbers[i + 1]})"/>`
    return `<g style="${css(style)}">${drawn}</g>`
  }

  t(colour, [place, ...runs]) {
    const [x, y, angle, scale] = place.split(" "), [fill, opacity] = colour.split(" ")
    const outline = runs.map(run => this.letters(run)).join("")
    return `<path d="${outline}" style="fill:${paint(fill)};fill-opacity:${opacity}" ` +
      `transform="translate(${x} ${y}) rotate(${angle}) scale(${scale} -${scale})"/>`
  }

  letters(run) {
    const [size, places] = run.split(":")
    if (size === "bar") return places
    const numbers = places.split(" ")
    let outline = ""
    for (let i = 0; i < numbers.length; i += 3) {
      let coordinate = 0
      outline += this.glyphs[numbers[i]].replace(/-?\d+/g, number => {
        coordinate = 3 - (coordinate || 2) // x and y in turn
        return " " + Math.round(number * size + +numbers[i + coordinate])
      })
    }
    return outline
  }

  i(matrix, colours) {
    const drawn = colours.map(text => {
      const [colour, outline] = text.split(":"), [fill, opacity] = colour.split(" ")
      return `<path d="${outline}" style="fill:${paint(fill)};fill-opacity:${opacity}"/>`
    })
    return `<g transform="matrix(${matrix})" shape-rendering="crispEdges">${drawn.join("")}</g>`
  }
}

// Where frames are kept: the newest longest, up to a limit

class Store {
  constructor(room) {
    this.room = room
    this.size = 0
    this.frames = new Map()
  }

  get(key) {
    const frame = this.frames.get(key)
    if (frame) {
      this.frames.delete(key)
      this.frames.set(key, frame)
    }
    return frame
  }

  put(key, frame) {
    if (this.frames.has(key)) return
    this.frames.set(key, frame)
    this.size += weight(frame)
    for (const [old, dropped] of this.frames) {
      if (this.size <= this.room) break
      this.frames.delete(old)
      this.size -= weight(dropped)
    }
  }
}

const weight = frame => (frame.layers ?? []).reduce((sum, layer) => sum + (layer.length ?? 1), 200)

// Controls

function node(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  if (tag === "input" || tag === "button") made.setAttribute("data-lm-suppress-shortcuts", "true") // JupyterLab's keys
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value)
    else if (value !== false && value !== undefined) made.setAttribute(name, value)
  }
  made.append(...children)
  return made
}

const button = (text, label, act) => node("button", {type: "button", title: label, "aria-label": label, onclick: act}, text)

class Slider {
  constructor(about, changed) {
    this.about = about
    this.changed = changed
    this.value = about.start
    this.input = node("input", {
      type: "range", min: 0, max: about.steps.length - 1, step: 1, value: about.start,
      oninput: () => this.set(+this.input.value, true),
    })
    this.output = node("output")
    this.node = node("div", {class: "live-row"},
      node("label", {}, node("span", {}, about.label), this.input), this.output)
    if (about.play) this.node.append(
      button("◀", `${about.label}: one step back`, () => this.move(-1)),
      this.player = button("▶▶", `${about.label}: play`, () => this.play()),
      button("▶", `${about.label}: one step on`, () => this.move(1)))
    this.set(about.start)
  }

  set(value, byHand = false) {
    if (byHand) this.stop()
    this.value = +value
    this.input.value = value
    this.output.value = this.about.steps[value]
    this.input.setAttribute("aria-valuetext", this.about.steps[value])
    if (byHand) this.changed(this)
  }

  move(step) {
    const value = Math.min(this.about.steps.length - 1, Math.max(0, this.value + step))
    if (value !== this.value) this.set(value, true)
  }

  play() {
    if (this.timer) return this.stop()
    if (this.value === this.about.steps.length - 1) this.set(0)
    else this.set(this.value + 1)
    this.changed(this)
    this.player.textContent = "❚❚"
    this.timer = setInterval(() => {
      if (this.value === this.about.steps.length - 1) return this.stop()
      this.set(this.value + 1)
      this.changed(this)
    }, PACE)
  }

  stop() {
    clearInterval(this.timer)
    this.timer = undefined
    if (this.player) this.player.textContent = "▶▶"
  }

  get steps() { return this.about.steps.map((_, i) => i) }
}

class Choice {
  constructor(about, changed) {
    this.about = about
    const group = "choice" + Math.random().toString(36).slice(2)
    this.inputs = about.steps.map((_, i) => node("input", {
      type: "radio", name: group, onchange: () => { this.value = i; changed(this) }}))
    const options = this.inputs.map((input, i) => node("label", {}, input, node("span", {}, about.steps[i])))
    this.node = node("div", {class: "live-row live-choice", role: "radiogroup", "aria-label": about.label},
      node("span", {}, about.label), ...options)
    this.set(about.start)
  }

  set(value) {
    this.value = value
    this.inputs[value].checked = true
  }

  stop() {}

  get steps() { return this.about.steps.map((_, i) => i) }
}

// The picture as a whole

export function mount(el, data, ask) {
  const drawing = new Drawing(data.first, data.alt)
  const store = new Store(ask ? ROOM : Infinity)
  const numbers = new Numbers()
  const status = node("p", {class: "live-said", role: "status"})
  const stage = node("div", {class: "live-stage"}, drawing.svg)
  const makers = {slider: Slider, choice: Choice, points: Points}
  let touched, waiting, resting, breathing, seen = true, onTheWay = 0
  let moment = 0, shownMoment = -1, shownKey = ""
  let axes = data.first.axes
  const asked = new Set(), pending = new Map(), who = drawing.id

  const controls = data.controls.map(about => new makers[about.kind](about, changed))
  const points = controls.find(control => control instanceof Points)
  const turns = axes.map(space => space.turn ?? null)
  const reset = button("Reset", "Put everything back to where it started", () => {
    controls.forEach(control => { control.stop(); control.set(control.about.start) })
    data.first.axes.forEach((space, i) => { turns[i] = space.turn ?? null })
    changed()
  })
  reset.className = "live-reset"
  const figure = node("figure", {class: "live-view"},
    node("div", {class: "live-controls"}, node("div", {}, ...controls.map(control => control.node)), reset),
    node("div", {class: "live-picture"}, stage, numbers.node), status)
  if (points) points.attach(stage, drawing.svg, data.first.size)
  el.append(figure)

  const place = () => controls.map(control => control.value)
  const name = at => JSON.stringify([at, turns])

  function changed(control) {
    touched = control ?? touched
    moment += 1
    clearTimeout(resting)
    clearTimeout(breathing)
    update()
    resting = setTimeout(rest, REST)
    breathing = setTimeout(prepare, BREATH)
  }

  function update() {
    const at = place(), key = name(at), frame = store.get(key)
    points?.place(axes)
    if (frame) return show(frame, key, moment)
    figure.setAttribute("aria-busy", "true")
    const known = pending.has(key)
    if (!ask || !known && pending.size === ASKED) return
    pending.set(key, moment)
    if (known) return
    wait()
    ask({who, draw: [at], turns, key: [key]})
  }

  function wait() {
    clearTimeout(waiting)
    if (pending.size) waiting = setTimeout(() => {
      numbers.say("The kernel does not answer: it is busy, or it was restarted. Then run the cell again.")
      shownKey = ""
    }, PATIENCE)
  }

  function show(frame, key, when) {
    if (key === name(place())) figure.removeAttribute("aria-busy")
    if (when < shownMoment || key === shownKey) return
    shownMoment = when
    shownKey = key
    if (frame.error) numbers.say(frame.error)
    else {
      axes = frame.axes ?? data.first.axes
      drawing.show(frame)
      numbers.show(frame.numbers)
      points?.place(axes)
    }
    figure.dataset.at = key
  }

  function rest() {
    if (shownKey === name(place())) status.textContent = numbers.said
    else resting = setTimeout(rest, REST)
  }

  // Frames of all steps of each control, the others where they are, the nearest first

  function* wanted() {
    const at = place()
    for (const control of [touched, ...controls.filter(one => one !== touched)]) {
      if (!control?.steps) continue
      const i = controls.indexOf(control)
      const near = control.steps.sort((a, b) => Math.abs(a - at[i]) - Math.abs(b - at[i]))
      for (const step of near) yield at.map((value, k) => k === i ? step : value)
    }
  }

  function prepare() {
    if (!ask || !seen || pending.size || document.hidden) return
    for (const at of batches()) {
      onTheWay += 1
      ask({who, prepare: at, turns, key: at.map(name)})
    }
    figure.dataset.ahead = onTheWay ? "preparing" : "ready"
  }

  function batches() {
    const missing = [...wanted()].filter(at => !asked.has(name(at)) && !store.frames.has(name(at)))
    const found = []
    while (missing.length && onTheWay + found.length < ASKED) found.push(missing.splice(0, BATCH))
    for (const at of found.flat()) asked.add(name(at))
    return found
  }

  function receive(message) {
    if (message.who !== who) return // another view of the same picture has asked
    for (const [key, frame] of message.frames) {
      keep(key, frame)
      asked.delete(key)
    }
    for (const key of message.left ?? []) asked.delete(key)
    if (message.prepared) {
      onTheWay -= 1
      if (name(place()) !== shownKey) update()
    } else {
      const [key, frame] = message.frames[0], when = pending.get(key)
      pending.delete(key)
      wait()
      show(frame, key, when)
      if (name(place()) !== key) update()
    }
    if (!pending.size && store.size < ROOM) prepare()
  }

  axes.forEach((space, i) => { if (space.turn && ask) stage.append(turner(space, i)) })

  function turner(space, i) {
    const set = (azimuth, elevation) => {
      turns[i] = [Math.round(azimuth), Math.round(Math.max(-90, Math.min(90, elevation)))]
      changed()
    }
    let from
    const keys = {ArrowLeft: [5, 0], ArrowRight: [-5, 0], ArrowUp: [0, -5], ArrowDown: [0, 5]}
    const grip = node("button", {
      type: "button", class: "live-turner", "aria-label": "Turn the picture: drag it, or use the arrow keys",
      onpointerdown: event => {
        grip.setPointerCapture(event.pointerId)
        from = [event.clientX, event.clientY, ...turns[i]]
      },
      onpointermove: event => {
        if (from) set(from[2] - (event.clientX - from[0]) / 2, from[3] + (event.clientY - from[1]) / 2)
      },
      onpointerup: () => { from = undefined },
      onpointercancel: () => { from = undefined },
      ondblclick: () => set(...space.turn),
      onkeydown: event => {
        const step = keys[event.key]
        if (!step) return
        event.preventDefault()
        set(turns[i][0] + step[0], turns[i][1] + step[1])
      },
    })
    const [width, height] = data.first.size, [x, y, w, h] = space.box
    grip.style.cssText = `left:${100 * x / width}%;top:${100 * y / height}%;` +
      `width:${100 * w / width}%;height:${100 * h / height}%`
    return grip
  }

  const watch = new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting
    if (seen) prepare()
  }, {rootMargin: "200px"})
  watch.observe(figure)

  function keep(key, frame) {
    store.put(key, frame)
    numbers.reserve(frame.numbers)
  }

  for (const [at, frame] of data.frames ?? []) keep(name(at), frame)
  keep(name(place()), {...data.first, layers: data.first.order ?? data.first.layers.map((_, i) => i)})
  update()
  return {
    receive,
    end: () => {
      watch.disconnect()
      controls.forEach(control => control.stop())
      for (const timer of [waiting, resting, breathing]) clearTimeout(timer)
    },
  }
}

// The numbers beside a drawing, with room for the widest that any frame so far has: nothing below them jumps

class Numbers {
  constructor() {
    this.room = node("div", {class: "live-room", "aria-hidden": "true"})
    this.node = node("div", {class: "live-numbers"}, this.room)
    this.widest = new Map()
    this.pen = document.createElement("canvas").getContext("2d")
  }

  show(shown) { this.node.replaceChildren(this.table(shown), this.room) }

  say(sentence) { this.node.replaceChildren(node("p", {role: "alert"}, sentence), this.room) }

  // What a screen reader should hear when the hand rests: an alert was heard at once
  get said() { return this.node.querySelector("[role=alert]") ? "" : this.node.innerText }

  reserve(shown = []) {
    let grown = false
    for (const [name, value] of typeof shown === "string" ? [["", shown]] : shown) {
      if (this.width(value) <= this.width(this.widest.get(name))) continue
      this.widest.set(name, value)
      grown = true
    }
    if (grown) this.room.replaceChildren(this.table(this.widest.get("") ?? [...this.widest]))
  }

  width(value) { return value === undefined ? -1 : this.pen.measureText(value).width }

  table(shown) {
    if (typeof shown === "string") return node("p", {}, shown)
    return node("dl", {}, ...shown.map(([name, value]) =>
      node("div", {}, node("dt", {}, name), node("dd", {}, value))))
  }
}

// Points that can be dragged

class Points {
  constructor(about, changed) {
    this.about = about
    this.changed = changed
    this.value = about.start
    this.history = []
    this.chosen = 0
    this.handles = []
    this.copied = node("span", {role: "status", class: "live-copied"})
    const name = about.label || "points"
    this.node = node("div", {class: "live-row", role: "group", "aria-label": name},
      node("span", {}, name),
      ...about.alone ? [] : [
        button("add +1", "Add a point with label +1", () => this.add(1)),
        button("add −1", "Add a point with label −1", () => this.add(-1))],
      button("flip", "Flip the label of the point chosen last", () => this.flip(this.chosen)),
      ...about.alone ? [] : [button("remove", "Remove the point chosen last", () => this.remove(this.chosen))],
      this.undoer = button("undo", "Undo the last change of the points", () => this.undo()),
      button("copy", "Copy the points as Python", () => this.copy()), this.copied)
    this.hint = node("span", {class: "live-said", id: "hint" + Math.random().toString(36).slice(2)},
      "Arrow keys move the point, with Shift farther; F flips its label; " +
      (about.alone ? "the others go back to their places; " : "A adds another; Delete removes it; ") + "Control and Z undo.")
    this.node.append(this.hint)
    this.set(about.start)
  }

  attach(stage, svg, size) {
    this.svg = svg
    this.size = size
    this.layer = node("div", {class: "live-points", ondblclick: event => {
      const place = this.toData(event)
      if (event.target === this.layer && place) this.add(event.shiftKey ? -1 : 1, place)
    }})
    stage.append(this.layer)
  }

  set(value) {
    if (this.value !== value) this.history.push(this.value)
    this.value = value
    this.undoer.disabled = !this.history.length
  }

  stop() {}

  // Put a handle over each point
  place(axes) {
    this.space = axes[this.about.axes]
    const [left, top, width, height] = this.space.box
    const side = (px, whole) => `${100 * px / whole}%`
    while (this.handles.length > this.value.length) this.handles.pop().remove()
    while (this.handles.length < this.value.length) this.handles.push(this.handle(this.handles.length))
    this.value.forEach(([x, y, label], i) => {
      const {style} = this.handles[i], {x: [x0, x1], y: [y0, y1]} = this.space
      style.left = side(left + width * (x - x0) / (x1 - x0), this.size[0])
      style.top = side(top + height * (y1 - y) / (y1 - y0), this.size[1])
      this.handles[i].setAttribute("aria-label", `Point ${i}, label ${label > 0 ? "+1" : "−1"}, at (${x}, ${y})`)
    })
  }

  handle(i) {
    let held
    const grip = node("button", {
      type: "button", "aria-describedby": this.hint.id,
      onfocus: () => { this.chosen = i },
      onkeydown: event => this.key(event, i),
      ondblclick: () => this.flip(i),
      onpointerdown: event => {
        if (event.button) return
        grip.setPointerCapture(event.pointerId)
        grip.focus()
        held = {before: this.value, moved: false}
      },
      onpointermove: event => {
        const place = held && this.toData(event, true)
        if (!place || place[0] === this.value[i][0] && place[1] === this.value[i][1]) return
        if (!held.moved) this.set(this.replaced(i, [...place, this.value[i][2]]))
        else this.value = this.replaced(i, [...place, this.value[i][2]]) // a drag is one change
        held.moved = true
        this.changed(this)
      },
      onpointerup: () => { held = undefined },
      onpointercancel: () => { held = undefined },
    })
    this.layer.append(grip)
    return grip
  }

  key(event, i) {
    const step = (this.about.snap ?? this.fine(50)) * (event.shiftKey ? 5 : 1)
    const ways = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step]}
    const [x, y, label] = this.value[i]
    const acts = {
      f: () => this.flip(i), " ": () => this.flip(i), a: () => this.add(label), Delete: () => this.remove(i),
      Backspace: () => this.remove(i),
    }
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) this.undo()
    else if (event.ctrlKey || event.metaKey || event.altKey) return
    else if (ways[event.key]) {
      const [dx, dy] = ways[event.key]
      this.change(this.replaced(i, [...this.inside(x + dx, y + dy), label]))
    } else if (acts[event.key]) acts[event.key]()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  // Without a kernel there are frames for one point at a time: elsewhere, or with its label flipped
  replaced(i, point) {
    const {alone, start} = this.about
    if (!alone) return this.value.map((old, k) => k === i ? point : old)
    const [x, y, label] = start[i], moved = point[0] !== x || point[1] !== y
    return start.map((old, k) => k !== i ? old : moved ? [point[0], point[1], label] : point)
  }

  change(value) {
    this.set(value)
    this.changed(this)
  }

  flip(i) {
    const [x, y] = (this.about.alone ? this.about.start : this.value)[i]
    this.change(this.replaced(i, [x, y, -this.value[i][2]]))
  }

  remove(i) {
    if (this.about.alone) return this.tell(ALONE)
    if (this.value.length <= this.about.least) return this.tell(`at least ${this.about.least} stay`)
    this.change(this.value.filter((_, k) => k !== i))
    this.chosen = Math.min(i, this.value.length - 1)
    this.handles[this.chosen].focus()
  }

  add(label, place) {
    if (this.about.alone) return this.tell(ALONE)
    if (this.value.length >= this.about.most) return this.tell(`at most ${this.about.most}`)
    this.change([...this.value, [...place ?? this.free(), label]])
    this.handles.at(-1).focus()
  }

  undo() {
    if (!this.history.length) return
    this.value = this.history.pop()
    this.undoer.disabled = !this.history.length
    this.changed(this)
    this.chosen = Math.min(this.chosen, this.value.length - 1)
    const gone = document.activeElement === document.body // with the point that was added
    if (gone || this.undoer.disabled) this.handles[this.chosen].focus()
  }

  async copy() {
    const rows = this.value.map(([x, y]) => `[${x}, ${y}]`), labels = this.value.map(point => point[2])
    const text = `X = np.array([${rows.join(", ")}])\ny = np.array([${labels.join(", ")}])`
    try {
      await navigator.clipboard.writeText(text)
      this.tell("copied")
    } catch { // where the page may not use the clipboard
      const field = node("textarea", {readonly: "", rows: 2, "aria-label": "The points as Python"}, text)
      this.copied.replaceChildren(field)
      field.select()
    }
  }

  tell(sentence) {
    this.copied.textContent = sentence
    setTimeout(() => { this.copied.textContent = "" }, 4000)
  }

  // The round number next below a part of the axis
  fine(parts) {
    const {x: [low, high]} = this.space
    return 10 ** Math.floor(Math.log10(Math.abs(high - low) / parts))
  }

  inside(x, y) {
    const grid = this.about.snap ?? this.fine(200)
    const within = (value, [low, high]) => {
      const least = Math.ceil(Math.min(low, high) / grid), most = Math.floor(Math.max(low, high) / grid)
      return +(Math.min(most, Math.max(least, Math.round(value / grid))) * grid).toFixed(6)
    }
    return [within(x, this.space.x), within(y, this.space.y)]
  }

  toData(event, clamp = false) {
    const frame = this.svg.getBoundingClientRect(), [left, top, width, height] = this.space.box
    const across = ((event.clientX - frame.left) / frame.width * this.size[0] - left) / width
    const down = ((event.clientY - frame.top) / frame.height * this.size[1] - top) / height
    if (!clamp && (across < 0 || across > 1 || down < 0 || down > 1)) return undefined
    const {x: [x0, x1], y: [y0, y1]} = this.space
    return this.inside(x0 + across * (x1 - x0), y1 - down * (y1 - y0))
  }

  // A place near the middle that no point has
  free() {
    const {x: [x0, x1], y: [y0, y1]} = this.space
    for (let k = 0; ; k += 1) {
      const angle = 2.4 * k, reach = 0.04 * Math.sqrt(k)
      const place = this.inside((x0 + x1) / 2 + reach * (x1 - x0) * Math.cos(angle),
        (y0 + y1) / 2 + reach * (y1 - y0) * Math.sin(angle))
      if (k > 500 || !this.value.some(([x, y]) => x === place[0] && y === place[1])) return place
    }
  }
}

// In a notebook

function render({model, el}) {
  const data = {first: model.get("first"), controls: model.get("controls"), alt: model.get("alt")}
  const picture = mount(el, data, message => model.send(message))
  model.on("msg:custom", picture.receive)
  return () => {
    model.off("msg:custom", picture.receive)
    picture.end()
  }
}

export default {render}
