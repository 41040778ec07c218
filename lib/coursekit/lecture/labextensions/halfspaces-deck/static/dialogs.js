/* Dialogs of a deck: over the slides, or in the window of the notes. The browser keeps the focus in them, and Escape
   closes them. */

/* Close a dialog at once: one that is only closed keeps the focus until the next frame, and with it the keys. */
Deck.close = dialog => {
  dialog.close()
  dialog.remove()
}

/* Show a dialog with a heading; what is in it comes from outside. */
Deck.dialog = (deck, page, kind, heading, ...children) => {
  deck.dress(page)
  const title = Deck.make(page, 'h2', {id: `deck-${kind}-title`, textContent: heading})
  const close = Deck.make(page, 'button', {type: 'button', className: 'deck-close', textContent: '×', ariaLabel: 'Close', title: 'Close (Escape)'})
  const dialog = Deck.make(page, 'dialog', {className: `deck-dialog deck-${kind}`},
    Deck.make(page, 'header', {}, title, close), ...children)
  dialog.setAttribute('aria-labelledby', title.id)
  close.addEventListener('click', () => Deck.close(dialog))
  dialog.addEventListener('cancel', () => Deck.close(dialog))
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', event => { if (event.target === dialog) Deck.close(dialog) })  // beside it
  page.body.append(dialog)
  dialog.showModal()
  return dialog
}

Deck.showHelp = (deck, page) => {
  const row = ([, , keys, text]) => Deck.make(page, 'tr', {},
    Deck.make(page, 'th', {scope: 'row'}, ...keys.split(/ (?!Down|Up|a\b|or\b|number)/).flatMap((key, at) =>
      [at ? ' ' : '', Deck.make(page, 'kbd', {textContent: key})])),
    Deck.make(page, 'td', {textContent: text}))
  const rows = Deck.KEYS.filter(([, , , , , needs]) => !needs || deck.host[needs]).map(row)
  const half = Math.ceil(rows.length / 2)
  const table = some => Deck.make(page, 'table', {}, Deck.make(page, 'tbody', {}, ...some))
  const dialog = Deck.dialog(deck, page, 'help', 'Keys', Deck.make(page, 'div', {className: 'deck-columns'}, table(rows.slice(0, half)), table(rows.slice(half))))
  dialog.querySelector('.deck-close').focus()
}

Deck.askPlan = (deck, page) => {
  const choices = deck.plans.map(plan => {
    const {minutes, slides, ends} = plan
    const choice = Deck.make(page, 'button', {type: 'button'},
      Deck.make(page, 'strong', {textContent: minutes ? `${minutes} minutes` : 'Everything'}),
      Deck.make(page, 'span', {textContent: `${slides.length} slides, planned for ${ends.at(-1)} minutes`}))
    choice.ariaPressed = String(plan === deck.plan)
    choice.addEventListener('click', () => {
      deck.choose(minutes)
      Deck.close(dialog)
    })
    return choice
  })
  const dialog = Deck.dialog(deck, page, 'plan', 'How long is this lecture?',
    Deck.make(page, 'div', {className: 'deck-choices'}, ...choices),
    Deck.make(page, 'p', {textContent: 'Slides outside of it are passed over; G finds them. P changes the length, ? shows all keys.'}))
  choices[deck.plans.indexOf(deck.plan)].focus()
}

/* Let phones in before anything is asked: the address, as large as it can be, and what they may see. */
Deck.showPhones = (deck, page) => {
  const place = Deck.make(page, 'div', {className: 'deck-door', textContent: 'The kernel is asked …'})
  const choices = Deck.make(page, 'div', {className: 'deck-doing'})
  const dialog = Deck.dialog(deck, page, 'phones', 'Phones', place, choices)
  const button = (text, wanted) => {
    const made = Deck.make(page, 'button', {type: 'button', textContent: text})
    made.addEventListener('click', () => ask(wanted))
    return made
  }
  const ask = async wanted => {
    const told = await deck.host.phones(wanted).catch(error => ({html: error.message}))
    place.innerHTML = told.html
    choices.replaceChildren(...told.open === undefined ? [] : told.open
      ? [button(told.followed ? 'Slides off phones' : 'Slides on phones', told.followed ? 'no slides' : 'slides'), button('Only this computer', 'out')]
      : [button('Let phones in', 'in')])
    if (told.open) choices.append(Deck.make(page, 'a', {href: told.desk, target: '_blank', textContent: 'Your own window'}))
    choices.querySelector('button')?.focus()
  }
  dialog.querySelector('.deck-close').focus()
  ask('')
}
