/* Follow the room: old phones must be able to run this. */
(function () {
  var root = document.documentElement, state = root.getAttribute('data-state'), path = root.getAttribute('data-look')
  function later() { setTimeout(look, 3000 + 2000 * Math.random()) }
  function look() {
    if (document.hidden) return later()
    var ask = new XMLHttpRequest()
    ask.onload = function () {
      var field = document.querySelector('textarea, #number'), written = field && field.value !== field.defaultValue
      if (ask.status === 200 && ask.responseText !== state && !written) location.replace(path)
      else later()
    }
    ask.onerror = ask.ontimeout = later
    ask.open('GET', path + '/state')
    ask.timeout = 8000
    ask.send()
  }
  // The lecturer's own page is drawn anew, unless a fold of it is open; what is being written stays.
  if (state === 'desk') setInterval(function () {
    if (!document.hidden && !document.querySelector('details[open]')) location.replace(path)
  }, 3000)
  else if (state) later()
  // Over plain HTTP there is no navigator.clipboard.
  var copy = document.querySelectorAll('button[data-copy]')
  for (var i = 0; i < copy.length; i++) copy[i].onclick = function () {
    getSelection().selectAllChildren(document.getElementById(this.getAttribute('data-copy')))
    this.textContent = document.execCommand('copy') ? 'Copied' : 'Selected'
  }
  // A formula that is wider than the phone is drawn smaller; one that would be too small to read is scrolled.
  addEventListener('load', function () {
    for (var i = 0; i < math.length; i++) {
      var room = math[i].parentNode.clientWidth || document.querySelector('main').clientWidth
      var share = room / math[i].firstElementChild.getBoundingClientRect().width
      if (share < 1) math[i].style.fontSize = 1.1 * Math.max(share, .6) + 'em'
    }
  })
  // A browser that cannot draw MathML would run the symbols together: it gets the TeX instead.
  var math = document.getElementsByTagName('math'), probe = document.createElement('div')
  probe.innerHTML = '<math><mspace height="30px" width="30px"></mspace></math>'
  document.body.appendChild(probe)
  if (probe.firstChild.getBoundingClientRect().height < 25)
    while (math.length) math[0].parentNode.replaceChild(
      document.createTextNode(math[0].getAttribute('alttext')), math[0])
  if (probe.parentNode) probe.parentNode.removeChild(probe)
})()
