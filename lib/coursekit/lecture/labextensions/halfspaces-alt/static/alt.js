/* JupyterLab shows a picture in an output without the alt text in the output's metadata: set it.

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

  const plugin = {
    id: 'halfspaces-alt:plugin', autoStart: true,
    activate(app) {
      let waiting = false
      const look = () => {
        waiting = false
        for (const panel of app.shell.widgets('main')) if (panel.content?.widgets && panel.context) describe(panel.content)
      }
      const soon = changes => {
        const added = changes.some(({addedNodes}) => [...addedNodes].some(node => node.querySelector?.('img') || node.tagName === 'IMG'))
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
