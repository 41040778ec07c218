// Search the course: search.json has a row for each section, with page, title, anchor, heading and text

const fold = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
const stem = word => word.length > 3 ? word.replace(/(?<!s)s$/, "") : word
const WORD = /[\p{L}\p{N}]+(?:\.\p{N}+)*/u // "5.1" is one
const words = text => (fold(text).match(new RegExp(WORD, "gu")) ?? []).map(stem)

const MOST = 40
const form = document.querySelector("form.large")
const status = document.querySelector(".found")
const list = document.querySelector(".results")
const asked = new URLSearchParams(location.search).get("q")?.trim() ?? ""
for (const input of document.querySelectorAll("input[name=q]")) input.value = asked

function score(row, wanted) {
  const [, title, , heading, text] = row, [inTitle, inHeading, inText] = [title, heading, text].map(fold)
  let sum = 0
  for (const word of wanted) {
    const inside = inText.split(word).length - 1
    const found = (inTitle.includes(word) ? 20 : 0) + (inHeading.includes(word) ? 12 : 0) + Math.min(inside, 8)
    if (!found) return 0
    sum += found
  }
  const named = stem(inHeading) === stem(fold(asked)) // as a term of the glossary is
  return sum + (inText.includes(fold(asked)) ? 15 : 0) + (named ? 40 : 0) + (heading ? 1 : 0)
}

function excerpt(text, wanted) {
  const folded = fold(text), start = Math.max(0, folded.indexOf(wanted.find(word => folded.includes(word)) ?? "") - 60)
  const cut = (start ? "… " : "") + text.slice(start, start + 220) + (start + 220 < text.length ? " …" : "")
  const made = document.createElement("p")
  for (const part of cut.split(new RegExp(`(${WORD.source})`, "u"))) {
    const hit = wanted.some(word => fold(part).startsWith(word))
    made.append(hit ? Object.assign(document.createElement("mark"), {textContent: part}) : part)
  }
  return made
}

async function search() {
  const wanted = words(asked)
  if (!wanted.length) return
  status.textContent = "Searching …"
  const rows = await (await fetch("search.json")).json()
  const hits = rows.map(row => [score(row, wanted), row]).filter(([points]) => points).sort((a, b) => b[0] - a[0])
  status.textContent = hits.length
    ? `${hits.length} ${hits.length === 1 ? "section has" : "sections have"} “${asked}”` + (hits.length > MOST ? `; here are the best ${MOST}.` : ".")
    : `Nothing has “${asked}”. Try another word, or the glossary.`
  for (const [, [page, title, name, heading, text]] of hits.slice(0, MOST)) {
    const link = document.createElement("a")
    link.href = `${page}.html${name ? `#${name}` : ""}`
    link.textContent = heading ? `${title}: ${heading}` : title
    const entry = document.createElement("li")
    entry.append(link, excerpt(text, wanted))
    list.append(entry)
  }
}

search().catch(() => {
  status.textContent = location.protocol === "file:"
    ? "A page that was opened as a file cannot search: that needs a web server, as python3 course.py site --serve is."
    : "The index cannot be loaded."
})
form.querySelector("input").focus()
