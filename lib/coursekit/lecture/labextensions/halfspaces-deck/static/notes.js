/* The lecturer's window: what to say on this slide, what comes next, and what time it is by the plan. */
Deck.Notes = class Notes {
  static NAMES = {say: 'Say', board: 'Board', expect: 'Expect'}

  constructor(deck) { this.deck = deck }

  get isOpen() { return Boolean(this.window && !this.window.closed) }

  /* Open the window, or find it again after a reload; a browser that refuses is worth a sentence if a key asked. */
  open(asked = false) {
    this.window = window.open('', 'deck-notes', 'width=900,height=680')
    if (!this.window) {
      if (asked) this.deck.tell('The browser has blocked the window of the notes. Allow pop-ups for this page, and press S again.')
      return
    }
    this.build(this.window.document)
    this.deck.remember()
    this.tell()
    if (asked) this.window.focus()
  }

  build(page) {
    const {deck} = this
    const part = (tag, className, ...children) => Deck.make(page, tag, {className}, ...children)
    const button = (text, act) => {
      const made = Deck.make(page, 'button', {type: 'button', textContent: text})
      made.addEventListener('click', act)
      return made
    }
    page.documentElement.lang = 'en'
    page.title = 'Speaker notes'
    page.body.className = 'deck-notes'
    deck.dress(page)
    this.elapsed = part('span', 'deck-elapsed')
    this.wall = part('span', 'deck-wall')
    this.standing = part('p', 'deck-standing')
    this.where = part('p', 'deck-where')
    this.pause = button('Pause', () => deck.pause())
    this.title = part('h1')
    this.said = part('section', 'deck-said')
    this.after = part('section', 'deck-after')
    this.place = Deck.make(page, 'p', {className: 'deck-unseen', role: 'status'})
    page.body.replaceChildren(
      part('header', '',
        part('div', 'deck-clocks', this.elapsed, this.pause, button('Reset', () => deck.restart()), this.wall),
        this.standing, this.where),
      part('main', '', this.title, this.said, this.after, this.place),
      part('footer', '', button('Back', () => deck.back()), button('Next', () => deck.next()),
        button('All slides', () => deck.showOverview(page)), button('Length', () => deck.askPlan(page)), button('Keys', () => deck.showHelp(page))))
    this.listening?.abort()
    this.listening = new AbortController()
    this.window.addEventListener('keydown', event => deck.key(event), {signal: this.listening.signal})
  }

  /* Write what belongs to this slide. */
  tell() {
    if (!this.isOpen) return
    const {deck} = this, page = this.window.document, {labels, slides, ends, minutes} = deck.plan
    const slide = deck.about[deck.index], next = deck.about[deck.following]
    const line = (tag, properties, ...children) => Deck.make(page, tag, properties, ...children)
    this.title.innerHTML = slide.title
    const notes = Object.entries(slide.notes).flatMap(([name, html]) =>
      [line('h2', {textContent: Notes.NAMES[name]}), line('p', {innerHTML: html})])
    const code = slide.code.flatMap(text => [line('h2', {textContent: 'Type'}), line('pre', {textContent: text})])
    this.said.replaceChildren(...notes, ...code)
    this.after.replaceChildren(line('h2', {textContent: 'Next'}), ...next
      ? [line('p', {}, line('strong', {innerHTML: next.title})), line('p', {innerHTML: next.words})]
      : [line('p', {textContent: 'The end.'})])
    const steps = deck.fragments.length
    const facts = [`Slide ${labels[deck.index]} of ${slides.length}`, slides.includes(deck.index) ? '' : 'outside of the plan',
      `number ${deck.index + 1} in the guide`, `done by minute ${ends[deck.index]} of ${ends.at(-1)}`,
      minutes ? `lecture of ${minutes} minutes` : 'everything', steps ? `step ${deck.shown} of ${steps}` : '', deck.black ? 'the screen is black' : '']
    this.place.textContent = `${facts[0]}: ${deck.title(deck.index)}`
    this.where.textContent = facts.filter(Boolean).join(' · ')
    this.tick()
  }

  /* Move the clocks. */
  tick() {
    if (!this.isOpen) return
    const {deck} = this, two = number => String(number).padStart(2, '0'), now = new Date()
    this.elapsed.textContent = `${Math.floor(deck.seconds / 60)}:${two(deck.seconds % 60)}`
    this.wall.textContent = `${two(now.getHours())}:${two(now.getMinutes())}`
    this.wall.ariaLabel = `It is ${this.wall.textContent}`
    this.pause.textContent = deck.paused ? 'Go on' : 'Pause'
    const {words, state} = this.judge(deck.seconds / 60)
    this.standing.textContent = words
    this.standing.dataset.state = state
  }

  /* Say how a lecture stands that has taken so many minutes, and where it should be. */
  judge(minute) {
    const {deck} = this, {slides, labels, begins, ends} = deck.plan
    const late = Math.floor(minute - ends[deck.index]), early = Math.floor(begins[deck.index] - minute)
    const due = slides.findLast(place => begins[place] <= minute)
    const there = `by now slide ${labels[due]}, ${deck.title(due)}.`
    const many = number => number === 1 ? 'A minute' : `${number} minutes`
    if (late >= 1) return {state: 'behind', words: `${many(late)} behind: ${there}`}
    if (early >= 1) return {state: 'ahead', words: `${many(early)} ahead: ${there}`}
    return {state: 'on time', words: 'On time.'}
  }

  /* Say that nothing moves any more. */
  rest() {
    if (!this.isOpen) return
    this.listening.abort()
    this.standing.textContent = 'The slides are closed: Alt R in the notebook opens them again, at this place.'
  }
}
