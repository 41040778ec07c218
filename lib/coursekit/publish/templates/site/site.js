// What the pages do besides being read. Each part finds its place in the page, or does nothing.

const all = (selector, within = document) => [...within.querySelectorAll(selector)]

function node(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value)
    else if (value !== false) made.setAttribute(name, value)
  }
  made.append(...children)
  return made
}

// How much of what a notebook asks is done

const KINDS = ["predictions", "questions", "exercises"]

function done(asked) {
  const kept = progress.all()
  const is = {
    predictions: entry => "said" in entry,
    questions: entry => entry.history?.length,
    exercises: entry => entry.rung === "correct",
  }
  return KINDS.filter(kind => asked[kind].length).map(kind => {
    const count = asked[kind].filter(id => is[kind](kept[kind]?.[id] ?? {})).length
    return {kind, count, of: asked[kind].length}
  })
}

function showMap() {
  for (const place of all(".map [data-asks]")) {
    const parts = done(JSON.parse(place.dataset.asks))
    const line = place.querySelector(".done")
    const sum = parts.reduce((total, part) => total + part.count, 0)
    line.hidden = !sum
    line.textContent = parts.map(({kind, count, of}) =>
      `${kind} ${count} of ${of}${count === of ? " ✓" : ""}`).join(" · ")
    place.classList.toggle("whole", parts.length > 0 && parts.every(({count, of}) => count === of))
  }
}

function keepProgress() {
  const place = document.querySelector(".keeping")
  if (!place) return
  const said = place.querySelector("[role=status]")
  place.hidden = false
  if (progress.isNewer())
    said.textContent = "It is of a newer edition: it is read here, and left as it is."
  place.querySelector(".download").onclick = progress.download
  place.querySelector("input").onchange = async ({target}) => {
    try {
      progress.take(await target.files[0].text())
      said.textContent = "Taken over."
      showMap()
    } catch { said.textContent = "This is no progress.json of this edition: nothing was changed." }
    target.value = ""
  }
  place.querySelector(".forget").onclick = () => {
    if (!confirm("Forget all predictions, votes and exercises that this browser has kept?")) return
    progress.forget()
    said.textContent = "Forgotten."
    showMap()
  }
}

// Questions: vote, think again, vote again, and see why

function ask(box) {
  const {id, answer} = box.dataset
  const letters = all("[data-letter]", box).map(row => row.dataset.letter)
  const kept = progress.entry("questions", id).votes ?? []
  const votes = kept.every(letter => letters.includes(letter)) ? [...kept] : []
  const solution = box.querySelector(".solution")
  const said = node("div", {role: "status", class: "verdict"})
  const part = selector => solution.querySelector(selector).cloneNode(true)
  const buttons = choices(box, "Vote", vote)
  const again = node("button", {type: "button", class: "again", onclick: () => vote(null)}, "Start again")
  solution.hidden = true
  box.append(said, again)
  show()

  function vote(letter) {
    if (letter && votes.length === 2) return
    if (letter) votes.push(letter)
    else votes.length = 0
    const entry = {...progress.entry("questions", id), votes: [...votes]}
    if (votes.length === 2) entry.history = [...entry.history ?? [], [progress.now(), grade()]]
    progress.change("questions", id, entry)
    show()
    if (!letter) buttons[letters[0]].focus()
  }

  const grade = () => votes[1] !== answer ? "again" : votes[0] === votes[1] ? "good" : "hard"

  function show() {
    const [first, last] = votes, over = votes.length === 2
    for (const letter of letters) {
      const button = buttons[letter]
      button.setAttribute("aria-pressed", String(votes.at(-1) === letter))
      button.setAttribute("aria-disabled", String(over)) // and not disabled: that would lose the focus
      button.dataset.mark = over ? letter === answer ? "right" : letter === last ? "wrong" : "" : ""
    }
    again.hidden = !over
    if (!votes.length) said.replaceChildren()
    else if (!over) said.replaceChildren(
      node("p", {}, "You voted ", strong(first), ". Think again, or convince a neighbour, then vote again."), part(".hint"))
    else said.replaceChildren(
      node("p", {}, ...first === last ? ["You voted ", strong(first), " both times"] : ["You went from ", strong(first), " to ", strong(last)],
        ...last === answer ? [", which is right."] : [", but ", strong(answer), " is right."]),
      ...[...new Set(votes)].filter(letter => letter !== answer).map(letter => part(`[data-behind="${letter}"]`)), part(".why"))
  }
}

const strong = text => node("strong", {}, text)

function choices(box, verb, act) {
  const buttons = {}
  for (const row of all("[data-letter]", box)) {
    const {letter} = row.dataset, text = row.querySelector("span:last-child")
    text.id = `${box.dataset.id}-${letter}`
    buttons[letter] = node("button", {
      type: "button", "aria-label": `${verb} ${letter}`, "aria-describedby": text.id, onclick: () => act(letter)}, letter)
    row.querySelector(".letter").replaceWith(buttons[letter])
  }
  return buttons
}

// Predictions: commit once; the answer below opens, and says how far off it was

function predict(box) {
  const {id, kind, unit} = box.dataset
  const reveal = document.querySelector(`[data-reveals="${CSS.escape(id)}"]`)
  const said = node("div", {role: "status", class: "verdict"})
  const wanted = box.querySelector(".wanted")
  const letters = all("[data-letter]", box).map(row => row.dataset.letter)
  let buttons = {}, field, send
  if (kind === "choice") {
    buttons = choices(box, "Predict", commit)
    wanted.remove()
  } else {
    field = node(kind === "number" ? "input" : "textarea", kind === "number" ? {autocomplete: "off"} : {rows: 2})
    send = node("button", {type: "submit"}, "Commit")
    const form = node("form", {onsubmit: event => { event.preventDefault(); commit(field.value) }},
      node("label", {}, node("span", {}, wanted.textContent), field), send)
    wanted.replaceWith(form)
  }
  box.append(said)
  show()

  function commit(text) {
    const words = text.trim().split(/\s+/).join(" ")
    if (!words) return said.replaceChildren(node("p", {}, "Write your prediction first."))
    if (kind === "number" && readNumber(words) === null)
      return said.replaceChildren(node("p", {}, "A number is expected here, such as 12, 0.5, 3/4 or 1e6."))
    if (!("said" in progress.entry("predictions", id)))
      progress.change("predictions", id, {said: words, at: progress.now(), ...reveal ? {truth: reveal.dataset.truth} : {}})
    show()
  }

  function show() {
    const {said: kept} = progress.entry("predictions", id)
    const fits = kept !== undefined && (kind !== "number" || readNumber(kept) !== null) && (kind !== "choice" || letters.includes(kept))
    if (!fits) return
    for (const letter of letters) {
      buttons[letter].setAttribute("aria-pressed", String(letter === kept))
      buttons[letter].setAttribute("aria-disabled", "true")
    }
    if (field) {
      field.value = kept
      field.readOnly = true
      send.setAttribute("aria-disabled", "true")
    }
    said.replaceChildren(node("p", {}, reveal ? "Noted. Now read on, and see." : "Noted."))
    if (!reveal || reveal.querySelector(".compared")) return
    reveal.open = true
    reveal.querySelector("summary").textContent = "Answer, and your prediction"
    reveal.querySelector("summary").after(node("p", {class: "compared"}, ...compare(kind, kept, reveal.dataset.truth, unit)))
  }
}

function compare(kind, said, truth, unit) {
  if (kind === "sentence") return ["You wrote: “", said, "”"]
  if (kind === "choice") return ["You said ", strong(said), said === truth ? ", and so it is." : ", but it is ", ...said === truth ? [] : [strong(truth), "."]]
  return ["You said ", strong(said), ". It is ", strong(truth), ` ${unit}`, distance(readNumber(said), readNumber(truth))]
}

function distance(guess, right) {
  if (guess === null || right === null) return "."
  if (guess === right) return ": exactly."
  const way = guess < right ? "too low" : "too high"
  if (!isFinite(guess) || !isFinite(right)) return `: your number is ${way}.`
  const ratio = right ? guess / right : 0, factor = ratio > 0 ? Math.max(ratio, 1 / ratio) : 0
  const by = factor >= 2 ? `a factor of ${brief(factor, 3)}` : brief(Math.abs(guess - right), 4)
  return `: your number is ${way} by ${by}.`
}

const brief = (number, digits) => String(+number.toPrecision(digits))

function readNumber(text) {
  let bare = text.trim().toLowerCase().replaceAll("−", "-").replaceAll("∞", "inf").replaceAll(" ", "")
  if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare)) bare = bare.replaceAll(",", "")
  if (/^-?inf(inity)?$/.test(bare)) return bare.startsWith("-") ? -Infinity : Infinity
  const parts = /^(-?\d+)\/(\d+)$/.exec(bare)
  if (parts) return +parts[2] ? parts[1] / parts[2] : null
  return /^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(bare) ? +bare : null
}

// Live pictures: their frames come when they are nearly in sight; the still twin makes room

const LEGIBLE = 0.7 // of its size has a picture at least, as --legible says of stills

function watchPictures() {
  const watch = new IntersectionObserver(entries => {
    for (const {isIntersecting, target} of entries)
      if (isIntersecting) {
        watch.unobserve(target)
        start(target)
      }
  }, {rootMargin: "600px"})
  for (const place of all(".live-player")) {
    place.querySelector(".waiting").hidden = false
    watch.observe(place)
  }
}

async function start(place) {
  const waiting = place.querySelector(".waiting")
  try {
    const [{mount}, response] = await Promise.all([import("./picture.js"), fetch(place.dataset.film)])
    if (!response.ok) throw new Error(response.status)
    const data = await new Response(response.body.pipeThrough(new DecompressionStream("deflate"))).json()
    waiting.remove()
    mount(place, data)
    const stage = place.querySelector(".live-stage")
    stage.style.minWidth = `${LEGIBLE * stage.querySelector("svg").getAttribute("width")}px`
    letScroll()
    const pictures = all(".live-player, .twin"), next = pictures[pictures.indexOf(place) + 1]
    if (next?.matches(".twin")) next.closest(".cell").classList.add("replaced")
  } catch (error) {
    waiting.textContent = "The moving picture cannot be loaded; here is how it begins."
    throw error
  }
}

// Previews: what a link to a statement or a term leads to, on hover and on focus

const documents = new Map()
let preview, soon

function documentAt(address) {
  if (!documents.has(address)) documents.set(address, address === location.pathname
    ? Promise.resolve(document)
    : fetch(address).then(async response => new DOMParser().parseFromString(await response.text(), "text/html")))
  return documents.get(address)
}

async function showPreview(link) {
  const target = (await documentAt(new URL(link.href).pathname)).getElementById(decodeURIComponent(link.hash.slice(1)))
  if (!target || soon?.link !== link) return
  closePreview()
  const whole = (target.closest("blockquote") ?? target).cloneNode(true)
  for (const part of [whole, ...all("[id]", whole)]) part.removeAttribute("id")
  for (const inner of all("a", whole)) inner.replaceWith(...inner.childNodes)
  preview = node("div", {class: "preview", role: "tooltip", id: "preview"}, whole)
  document.body.append(preview)
  link.setAttribute("aria-describedby", "preview")
  const box = link.getBoundingClientRect(), {width, height} = preview.getBoundingClientRect()
  const below = box.bottom + height + 12 < innerHeight || box.top < height + 12
  preview.style.left = `${scrollX + Math.max(8, Math.min(box.left, document.documentElement.clientWidth - width - 8))}px`
  preview.style.top = `${scrollY + (below ? box.bottom + 6 : box.top - height - 6)}px`
  preview.link = link
}

function closePreview() {
  preview?.link?.removeAttribute("aria-describedby")
  preview?.remove()
  preview = undefined
}

function startPreviews() {
  const linkOf = event => event.target.closest?.("a.ref, a.term")
  const open = link => {
    clearTimeout(soon?.timer)
    soon = {link, timer: setTimeout(() => showPreview(link).catch(() => {}), 250)}
  }
  const close = () => {
    clearTimeout(soon?.timer)
    soon = {timer: setTimeout(() => { if (!preview?.matches(":hover")) closePreview() }, 200)}
  }
  document.addEventListener("pointerover", event => {
    if (event.pointerType === "touch") return
    const link = linkOf(event)
    if (link) open(link)
    else if (preview && !event.target.closest?.(".preview")) close()
  })
  document.addEventListener("focusin", event => linkOf(event) ? open(linkOf(event)) : close())
  document.addEventListener("focusout", close)
  document.addEventListener("keydown", event => { if (event.key === "Escape") { soon = undefined; closePreview() } })
}

// Small things

function startTheme() {
  const button = document.querySelector("button.theme"), {dataset} = document.documentElement
  const label = () => { button.textContent = dataset.theme === "dark" ? "Light" : "Dark"; button.setAttribute("aria-label", `Switch to the ${button.textContent.toLowerCase()} theme`) }
  button.hidden = false
  button.onclick = () => {
    dataset.theme = dataset.theme === "dark" ? "light" : "dark"
    try {
      const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
      if (dataset.theme === system) localStorage.removeItem("halfspaces-theme") // the system may decide again
      else localStorage.setItem("halfspaces-theme", dataset.theme)
    } catch { /* a browser that keeps nothing */ }
    label()
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label)
  label()
}

function startMotion() {
  const button = document.querySelector("button.motion"), image = document.querySelector("[data-moving]")
  if (!button) return
  const still = image.src
  let moves = !matchMedia("(prefers-reduced-motion: reduce)").matches
  const show = () => {
    image.src = moves ? image.dataset.moving : still
    button.textContent = moves ? "Stop the picture" : "Play the picture"
  }
  button.hidden = false
  button.onclick = () => { moves = !moves; show() }
  show()
}

// The menu is longer than a low window: begin where the reader is
function showPlace() {
  const place = document.querySelector(".course [aria-current]"), menu = place?.closest(".course")
  if (menu) menu.scrollTop = place.offsetTop - menu.clientHeight / 2
}

// What is wider than the page scrolls by keyboard, too
const WIDE = {pre: "Code", ".wide": "Table", ".long": "Formula", ".picture": "Picture", ".live-picture": "Moving picture"}
function letScroll() {
  for (const wide of all([...Object.keys(WIDE), "math[display=block]"].join())) {
    const scrolls = wide.scrollWidth > wide.clientWidth + 1
    if (scrolls && !wide.hasAttribute("tabindex")) {
      wide.setAttribute("tabindex", "0")
      if (!wide.matches("math")) {
        wide.setAttribute("role", "region")
        const kind = Object.keys(WIDE).find(selector => wide.matches(selector))
        wide.setAttribute("aria-label", `${WIDE[kind]}, wider than the page`)
      }
    } else if (!scrolls && wide.hasAttribute("tabindex"))
      for (const name of ["tabindex", "role", "aria-label"]) wide.removeAttribute(name)
  }
}

// A page that is loaded again stays where it was, though pictures that come late move what is below
function keepPlace() {
  const name = `halfspaces-place ${location.pathname}`
  const topOf = part => part.getBoundingClientRect().top
  const parts = all("article > *")
  addEventListener("pagehide", () => {
    const at = parts.findIndex(part => part.getBoundingClientRect().bottom > 0)
    try { sessionStorage[name] = JSON.stringify({at, top: topOf(parts[at])}) } catch { /* nothing is kept */ }
  })
  let place
  try { place = JSON.parse(sessionStorage[name]) } catch { return }
  const again = ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type)
  if (!again || !parts[place.at]) return
  const watch = new ResizeObserver(() => scrollBy({top: topOf(parts[place.at]) - place.top, behavior: "instant"}))
  const stop = () => watch.disconnect()
  addEventListener("load", () => {
    watch.observe(document.querySelector("article"))
    setTimeout(stop, 5000)
  })
  for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(act, stop, {passive: true, once: true})
}

function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  const folds = all("details").filter(fold => !fold.open && fold.contains(target))
  for (const fold of folds) fold.open = true
  if (folds.length) target.scrollIntoView() // else the browser knows the place better: it may be one come back to
}

all(".question").forEach(ask)
all(".prediction").forEach(predict)
showMap()
keepProgress()
startTheme()
startMotion()
startPreviews()
watchPictures()
showPlace()
letScroll()
openTarget()
keepPlace()
addEventListener("resize", letScroll)
addEventListener("hashchange", openTarget)
addEventListener("storage", showMap)
addEventListener("pageshow", showMap) // coming back, the page may be as it was left
document.addEventListener("toggle", letScroll, true)
for (const toc of all(".toc")) toc.open = matchMedia("(min-width: 85rem)").matches
