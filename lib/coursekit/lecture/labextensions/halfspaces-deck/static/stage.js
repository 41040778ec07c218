/* What stands behind the slides in JupyterLab: the kernel has what a slide needs before it is shown.

   Which cells run, which wait, and where the model's code stands in for what was not typed, is not decided here but in
   coursekit/lecture/steps.py; here the steps are taken, and it is kept what became of each cell. A cell that runs in the
   kernel finds what the cells above it have left (coursekit/lecture/stage.py), in whatever order they ran. */
document.head.append(Object.assign(document.createElement('link'),
  {rel: 'stylesheet', href: document.currentScript.src.replace(/js$/, 'css')}))

window.Stage = class Stage {
  static PATIENCE = 2000  // milliseconds before a busy kernel is mentioned
  static MODULE = '__import__("coursekit.lecture.stage", fromlist="*")'
  static runs = 0

  constructor({panel, cells, modules}) {
    Object.assign(this, {panel, cells, modules, slide: [[], []], queue: panel.sessionContext.ready})
    this.session = panel.sessionContext
    this.sign = this.makeSign()
    this.follow = (_, status) => this.hear(status)
    this.session.statusChanged.connect(this.follow)
    this.clock = setInterval(() => this.tell(), 500)
  }

  static of(widget) { return widget.stage ??= {state: 'new', at: 0, by_hand: false} }

  static mark(widget, state, by_hand = false) { widget.stage = {state, at: ++Stage.runs, by_hand} }

  static solution(widget) { return widget.model.getMetadata('solution') }

  static check(widget) { return widget.model.getMetadata('checks') !== undefined }

  static failed(widget) { return widget.model.outputs.toJSON().some(output => output.output_type === 'error') }

  /* What was typed right is known by its text, in this tab also after the page has been loaded again. */
  static key(widget) { return `halfspaces-right ${location.pathname} ${widget.model.id}` }

  static right(widget) {
    const source = widget.model.sharedModel.getSource().trim()
    return [Stage.solution(widget)?.trim(), sessionStorage.getItem(Stage.key(widget))].includes(source)
  }

  /* Note that a cell was run by hand; if it is typed, run the check below it, and remember what that says. */
  static async ran(panel, widget, {CodeCell}) {
    Stage.mark(widget, Stage.failed(widget) ? 'failed' : 'ran', true)
    const {widgets} = panel.content, below = widgets[widgets.indexOf(widget) + 1]
    if (Stage.solution(widget) === undefined || !below || !Stage.check(below)) return
    const source = widget.model.sharedModel.getSource().trim()
    await CodeCell.execute(below, panel.sessionContext)
    Stage.mark(below, 'ran')
    const right = below.model.outputs.toJSON().some(({data}) => [data?.['text/plain']].flat().join('').startsWith('✓'))
    if (right) sessionStorage.setItem(Stage.key(widget), source)
    else sessionStorage.removeItem(Stage.key(widget))
    if (panel.context.contentsModel?.writable) panel.context.save()  // a reload must not lose what was typed
  }

  /* Bring what a slide needs, given all cells up to its last, and those in sight. */
  show(seen, here) {
    this.slide = [seen, here]
    this.queue = this.queue.then(() => this.prepare(seen.length - 1, this.cells.indexOf(here[0] ?? seen.at(-1))))
      .catch(error => console.warn('The slide is not ready.', error))
    return this.queue
  }

  /* Look again at the slide that is shown: something has run by hand, or the kernel has begun anew. */
  again() {
    this.show(...this.slide)
    if (window.deck) window.deck.ready = this.queue.then(() => window.deck?.fit())
  }

  async prepare(last, first) {
    const begun = this.begun ??= this.begin()
    await begun.catch(() => { this.begun = null })
    for (let round = 0; round < 2 * this.cells.length; round++) {
      const steps = await this.ask({path: this.panel.context.path, first, last, cells: this.cells.map(this.describe)})
      for (const step of steps) {
        if (begun !== this.begun) return  // the kernel has been restarted, and all begins anew
        if (!await this.take(step)) break
      }
      if (steps.every(({how}) => how === 'wait')) break
    }
    await this.call('show', this.cells[last].widget.model.id)  // whatever moves on the slide finds its names
  }

  async ask(told) {
    const {ServerConnection} = this.modules, settings = ServerConnection.makeSettings()
    const answer = await ServerConnection.makeRequest(settings.baseUrl + 'halfspaces-deck/steps',
      {method: 'POST', body: JSON.stringify(told)}, settings)
    if (!answer.ok) throw new Error(`The server of the course does not say what the slide needs (${answer.status})`)
    return answer.json()
  }

  describe({widget, code}) {
    return {id: widget.model.id, source: widget.model.sharedModel.getSource(), solution: Stage.solution(widget), code,
      check: Stage.check(widget), right: code && Stage.right(widget), ...Stage.of(widget)}
  }

  /* Take one step, and say whether it went well. */
  async take({place, how, code}) {
    const {widget} = this.cells[place]
    this.waits(widget, how === 'wait')
    if (how === 'wait') return true
    if (how === 'stand in') {
      const {status} = await (this.plain ? this.silently(code) : this.call('stand_in', widget.model.id, code))
      if (status !== 'aborted') Stage.mark(widget, status === 'ok' ? 'stood in' : 'lost')
      return status === 'ok'
    }
    const settings = {tags: ['raises-exception']}  // should it fail, what the lecturer runs goes on
    const reply = await this.modules.CodeCell.execute(widget, this.session, settings)
    if (reply?.content.status !== 'aborted') Stage.mark(widget, Stage.failed(widget) ? 'failed' : 'ran')
    return !Stage.failed(widget)
  }

  /* Ask the kernel for something, unseen. */
  async silently(code, answers = {}) {
    const told = {code, silent: true, stop_on_error: false, user_expressions: answers}
    return (await this.session.session.kernel.requestExecute(told).done).content
  }

  /* Call a method of the stage in the kernel; its texts are texts in Python too. */
  call(method, ...texts) {
    return this.silently(`${Stage.MODULE}.stage().${method}(${texts.map(text => JSON.stringify(text)).join(', ')})`)
  }

  /* Ask the kernel for the room's door: to open or to close it, and for what there is to show. */
  async door(wanted) {
    const {user_expressions: {room}} = await this.silently('', {room: '__import__("os").environ.get("HALFSPACES_ROOM") and ' +
      `__import__("coursekit.lecture.room.door", fromlist="*").door(${JSON.stringify(wanted)})`})
    const told = room?.data?.['application/json']
    if (!told) throw new Error(room?.evalue ?? 'There is a room in lectures that are begun by course.py live or course.py slides.')
    return told
  }

  /* Tell the kernel the order of the cells, and forget what it knows nothing of. A kernel without the course runs the
     cells as they come. */
  async begin() {
    const ids = this.cells.map(({widget}) => widget.model.id)
    const {status, user_expressions: {left}} = await this.silently(`${Stage.MODULE}.begin(${JSON.stringify(ids)})`,
      {left: `" ".join(${Stage.MODULE}.stage().left)`})
    this.plain = status !== 'ok'
    const known = new Set(left?.data?.['text/plain'].slice(1, -1).split(' '))
    for (const {widget} of this.cells) if (!this.plain && !known.has(widget.model.id)) delete widget.stage
  }

  /* A quiet line stands where a cell's output will be. */
  waits(widget, yes) {
    const line = widget.node.querySelector('.deck-waits')
    if (!yes) return line?.remove()
    widget.model.outputs.clear()
    if (line) return
    const made = Object.assign(document.createElement('p'), {className: 'deck-waits', textContent: '… comes when what stands above is right.'})
    made.setAttribute('role', 'status')
    widget.node.append(made)
  }

  makeSign() {
    const sign = Object.assign(document.createElement('div'), {className: 'deck-kernel', hidden: true})
    sign.setAttribute('role', 'status')
    this.words = sign.appendChild(document.createElement('span'))
    this.seconds = sign.appendChild(document.createElement('span'))
    this.seconds.setAttribute('aria-hidden', 'true')  // not read out every second
    this.button = sign.appendChild(document.createElement('button'))
    this.button.addEventListener('mousedown', event => event.preventDefault())  // leave the focus where it is
    this.button.addEventListener('click', () => this.isDead ? this.session.restartKernel() : this.session.session?.kernel?.interrupt())
    document.body.append(sign)
    return sign
  }

  /* Before the session is ready, the first kernel is still on its way. */
  get isDead() { return this.session.isReady && (this.session.session?.kernel?.status ?? 'dead') === 'dead' }

  hear(status) {
    const now = Date.now()
    if (status === 'idle') this.idleSince = now
    else if (now - (this.idleSince ?? 0) > 500 || !this.busySince) this.busySince = now
    if (['restarting', 'autorestarting', 'dead', 'terminating'].includes(status)) {
      this.begun = null
      this.hasEnded = true
      for (const {widget} of this.cells) delete widget.stage
    } else if (status === 'idle' && this.hasEnded) {
      this.hasEnded = false
      this.again()
    }
    this.tell()
  }

  /* JupyterLab wants to be told that it was seen that a kernel died and begins anew; the sign says so by itself. */
  dismiss() {
    const box = [...document.querySelectorAll('.jp-Dialog')].find(dialog => dialog.textContent.includes('Kernel Restarting'))
    box?.querySelector('.jp-mod-accept')?.click()
  }

  tell() {
    this.dismiss()
    const status = this.session.session?.kernel?.status, waited = Date.now() - this.busySince
    const words = this.isDead ? 'The kernel has ended.' : status?.includes('restarting') ? 'The kernel begins anew.' :
      status === 'busy' && waited > Stage.PATIENCE ? 'The kernel is busy.' : ''
    this.sign.hidden = !words
    if (this.words.textContent !== words) this.words.textContent = words
    this.seconds.textContent = words ? ` ${Math.round(waited / 1000)} s` : ''
    this.button.textContent = this.isDead ? 'Start it again' : 'Stop it'
    this.button.hidden = !this.isDead && status !== 'busy'
  }

  end() {
    this.session.statusChanged.disconnect(this.follow)
    clearInterval(this.clock)
    this.sign.remove()
    for (const {widget} of this.cells) this.waits(widget, false)
  }
}
