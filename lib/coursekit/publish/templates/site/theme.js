// Before anything is drawn: the theme that was chosen, or that of the system
{
  const system = matchMedia("(prefers-color-scheme: dark)")
  const chosen = () => { try { return localStorage.getItem("halfspaces-theme") } catch { return null } }
  const set = () => { document.documentElement.dataset.theme = chosen() ?? (system.matches ? "dark" : "light") }
  system.addEventListener("change", set)
  set()
}
