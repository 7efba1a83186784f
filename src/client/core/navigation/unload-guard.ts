let isAllowed = false

/** Makes the browser ask before the page unloads (specification 2, point 2, "Page shell"). */
export function installUnloadPrompt(): void {
  window.addEventListener('beforeunload', (event) => {
    if (!isAllowed) event.preventDefault()
  })
}

/** Suppresses the prompt: the page must unload, or the user has already confirmed. */
export function allowUnload(): void {
  isAllowed = true
}

/** Whether the page is about to unload. */
export function isUnloadAllowed(): boolean {
  return isAllowed
}
