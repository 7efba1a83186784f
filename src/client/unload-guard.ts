let isUnloadAllowed = false

/** From now on the browser asks whether the page may go (specification 2, point 2, "Page shell"). */
export function installUnloadPrompt(): void {
  window.addEventListener('beforeunload', (event) => {
    if (!isUnloadAllowed) event.preventDefault()
  })
}

/** The page goes because it has to, or because somebody has just asked for it: nobody is asked again. */
export function allowUnload(): void {
  isUnloadAllowed = true
}
