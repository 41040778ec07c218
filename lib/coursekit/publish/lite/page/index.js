// Open the notebook that the address names, as the reader's copy; ask where there are two to choose
// from; list all of them where none is named.

const asked = new URLSearchParams(location.search)
const list = document.getElementById("list")
const choice = document.getElementById("choice")
const escape = text => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`)

async function openCopy(name, copy) {
  const found = (await copies.editions)[name]
  if (!found) throw new Error(`There is no notebook ${name} here.`)
  const state = await copies.state(name)
  if (state === "old" && !copy) return choose(name, found.title)
  if (copy === "fresh" || ["none", "outdated"].includes(state)) await copies.begin(name)
  location.replace(copies.page(copies.place(name)))
}

function choose(name, title) {
  choice.hidden = false
  choice.innerHTML = `<h2>${escape(title)}: there is a newer edition</h2>
    <p>You have written in your copy, and this notebook has changed since you began it. Your copy
    stays as it is, whatever you choose.</p>
    <p><a class="button" href="${copies.start(name, "mine")}">Go on with my copy</a>
    <a class="button" href="${copies.start(name, "fresh")}">Begin a fresh copy of the new edition</a>
    <button type="button" data-download="${escape(copies.place(name))}">Download my copy</button></p>`
  document.title = `${title}: there is a newer edition`
  choice.querySelector("a").focus()
}

const WORDS = {
  none: "not begun", untouched: "begun", outdated: "begun", current: "your copy",
  old: "your copy, of an older edition",
}

async function row(name, {title}) {
  const state = await copies.state(name)
  const path = copies.place(name)
  const mine = state === "none" ? "" : `
    <a class="button" href="${copies.start(name, "fresh")}">Fresh copy<span> of ${escape(title)}</span></a>
    <button type="button" data-download="${escape(path)}">Download<span> ${escape(title)}</span></button>`
  const others = (await copies.older(name)).map(older => `<li>
    <a href="${copies.page(older)}">${escape(older.split("/").pop())}</a>
    <button type="button" data-download="${escape(older)}">Download<span> ${escape(older)}</span></button>
    <button type="button" data-delete="${escape(older)}">Delete<span> ${escape(older)}</span></button></li>`)
  return `<tr><th scope="row"><a href="${copies.start(name)}">${escape(title)}</a></th>
    <td>${WORDS[state]}${others.length ? `<ul>${others.join("")}</ul>` : ""}</td>
    <td>${mine}</td></tr>`
}

async function table(caption, entries) {
  const rows = await Promise.all(entries.map(([name, about]) => row(name, about)))
  return `<table><caption>${caption}</caption><thead><tr><th scope="col">notebook</th>
    <th scope="col">your copy</th><th scope="col">what you can do</th></tr></thead>
    <tbody>${rows.join("")}</tbody></table>`
}

async function show() {
  const entries = Object.entries(await copies.editions)
  const parts = [
    await table("Notebooks", entries.filter(([, about]) => !about.homework)),
    await table("Homeworks", entries.filter(([, about]) => about.homework)),
  ]
  list.innerHTML = `${parts.join("")}
    <h2>What you have done</h2>
    <p>Votes, predictions and solved exercises are kept in this browser, too, and are shown on the
    map of the course.</p>
    <p><button type="button" data-progress>Download progress</button>
    <label>Take over from a file: <input type="file" accept=".json,application/json"></label>
    <span role="status" id="said"></span></p>`
}

document.addEventListener("click", async ({target}) => {
  const button = target.closest("button")
  if (button?.dataset.download) {
    const {content} = await copies.read(button.dataset.download)
    copies.downloadBook(button.dataset.download, content)
  }
  const older = button?.dataset.delete
  if (older && confirm(`Delete ${older.split("/").pop()} for good?`)) {
    await copies.remove(older)
    await show()
  }
  if (button && "progress" in button.dataset) progress.download()
})

document.addEventListener("change", async ({target}) => {
  if (target.type !== "file" || !target.files.length) return
  const said = document.getElementById("said")
  try {
    const count = progress.take(await target.files[0].text())
    said.textContent = `${count} entries were taken over.`
  } catch {
    said.textContent = "This file is not one of progress: progress.json is expected."
  }
})

const BLOCKED = `<p>This browser keeps nothing for this site: its storage is switched off, or blocked in
  this window. A notebook that runs is kept there, so none can be opened. All of them can be read:
  <a href="../index.html">the pages to read</a>.</p>`
const FULL = "The browser has no room left for another copy. Download and delete older ones below."

async function main() {
  try {
    await copies.probe()
  } catch {
    list.innerHTML = BLOCKED
    return
  }
  const name = asked.get("path")
  try {
    if (name) await openCopy(name, asked.get("copy"))
  } catch (error) {
    choice.hidden = false
    choice.innerHTML = `<p>${escape(error.name === "QuotaExceededError" ? FULL : error.message)}</p>`
  }
  if (!name || !choice.hidden) await show()
}

main()
