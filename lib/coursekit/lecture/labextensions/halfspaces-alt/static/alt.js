/* JupyterLab shows a picture in an output without the alt text in the output's metadata: set it. And what is wider than
   the page, a formula or a table, scrolls: let the keyboard reach it.

   This is what a bundler would write for an extension without code of its own to bundle. */
(() => {
  const described = outputs => outputs.filter(({data}) => data?.['image/png']).map(({metadata}) => metadata?.['image/png']?.alt ?? '')

  function describe(notebook) {
    for (const cell of notebook.widgets) {
      const pictures = [...cell.node.querySelectorAll('.jp-RenderedImage img')]
      if (pictures.every(picture => picture.hasAttribute('alt'))) continue
      const texts = described(cell.model.outputs.toJSON())
      // A live picture and its twin are one output, of which one is shown: then there is no telling by place.
      if (texts.length === pictures.length) pictures.forEach((picture, place) => { picture.alt = texts[place] })
    }
  }

  function reach(notebook) {
    for (const box of notebook.node.querySelectorAll('.jp-RenderedMarkdown, .jp-RenderedHTML')) {
      if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0
    }
  }

  const plugin = {
    id: 'halfspaces-alt:plugin', autoStart: true,
    activate(app) {
      let waiting = false
      const look = () => {
        waiting = false
        for (const {content, context} of app.shell.widgets('main')) {
          if (!content?.widgets || !context) continue
          describe(content)
          reach(content)
        }
      }
      const soon = changes => {
        const added = changes.some(({addedNodes}) => [...addedNodes].some(node =>
          node.matches?.('img, mjx-container, table') || node.querySelector?.('img, mjx-container, table')))
        if (!added || waiting) return
        waiting = true
        requestAnimationFrame(look)
      }
      new MutationObserver(soon).observe(document.body, {childList: true, subtree: true})
    },
  }

  ;(window._JUPYTERLAB ??= {})['halfspaces-alt'] = {
    init: () => {},
    get: async () => () => ({__esModule: true, default: plugin}),
  }
})()
