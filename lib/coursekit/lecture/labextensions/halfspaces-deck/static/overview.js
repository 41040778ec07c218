/* All slides of a deck at a glance, to be found by number, by title or by looking. */
Deck.Overview = class Overview {
  constructor(deck, page) {
    Object.assign(this, {deck, page})
    this.field = Deck.make(page, 'input', {type: 'text', id: 'deck-search', autocomplete: 'off', spellcheck: false})
    const label = Deck.make(page, 'label', {htmlFor: 'deck-search', textContent: 'Number or title'})
    this.none = Deck.make(page, 'p', {className: 'deck-none', role: 'status'})
    this.cards = deck.about.map((slide, index) => this.card(slide, index))
    const grid = Deck.make(page, 'ol', {className: 'deck-grid'}, ...this.cards.map(card => Deck.make(page, 'li', {}, card)))
    const find = Deck.make(page, 'div', {className: 'deck-find'}, label, this.field, this.none)
    this.dialog = Deck.dialog(deck, page, 'overview', 'All slides', find, grid)
    this.dialog.addEventListener('keydown', event => this.key(event))
    this.field.addEventListener('input', () => this.filter())
    this.cards[deck.index].focus()
    this.cards[deck.index].scrollIntoView({block: 'center'})
  }

  card(slide, index) {
    const {page, deck} = this, inside = deck.plan.slides.includes(index)
    const card = Deck.make(page, 'button', {type: 'button', className: 'deck-card'},
      Deck.make(page, 'span', {className: 'deck-number', textContent: deck.plan.labels[index]}),
      Deck.make(page, 'strong', {innerHTML: slide.title}),
      Deck.make(page, 'span', {className: 'deck-words', innerHTML: slide.words}),
      Deck.make(page, 'span', {className: 'deck-about', textContent: this.facts(slide, inside)}))
    card.classList.toggle('deck-outside', !inside)
    if (index === deck.index) card.ariaCurrent = 'true'
    card.addEventListener('click', () => this.choose(index))
    return card
  }

  facts({minutes, asks, code}, inside) {
    const facts = [`${minutes} min`, asks && 'question', code.length && 'typed', !inside && 'outside of the plan']
    return facts.filter(Boolean).join(' · ')
  }

  /* Begin with the field, and what has been typed already. */
  search(text) {
    this.field.value = text
    this.filter()
    this.field.focus()
  }

  /* A number means the slide of this number; other words may stand anywhere in a title. */
  get found() {
    const wanted = this.field.value.trim().toLowerCase(), {labels} = this.deck.plan
    const places = this.cards.map((_, index) => index)
    const numbered = places.filter(index => labels[index] === wanted)
    if (numbered.length) return numbered
    if (/^[\d.]+$/.test(wanted)) return places.filter(index => labels[index].startsWith(wanted))
    return places.filter(index => this.deck.title(index).toLowerCase().includes(wanted))
  }

  filter() {
    const found = new Set(this.found)
    this.cards.forEach((card, index) => { card.parentElement.hidden = !found.has(index) })
    this.none.textContent = found.size ? '' : 'No slide has this number or these words in its title.'
  }

  choose(index) {
    Deck.close(this.dialog)
    this.deck.go(index)
  }

  key(event) {
    const inField = event.target === this.field
    if (inField && event.key === 'Enter') {
      event.preventDefault()
      if (this.found.length) this.choose(this.found[0])
    }
    const arrow = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key]
    if (!arrow || inField && arrow[0]) return
    event.preventDefault()
    const shown = this.cards.filter(card => !card.parentElement.hidden)
    if (inField) shown[0]?.focus()
    else this.neighbour(shown, shown.indexOf(event.target), arrow)?.focus()
  }

  /* Across, the card before or after; up and down, the one that stands there. */
  neighbour(shown, at, [across, down]) {
    if (across) return shown[at + across]
    const here = shown[at]?.getBoundingClientRect()
    const there = card => card.getBoundingClientRect()
    const column = shown.filter(card => here && Math.abs(there(card).left - here.left) < 2)
    return column[column.indexOf(shown[at]) + down] ?? (down < 0 ? this.field : null)
  }
}
