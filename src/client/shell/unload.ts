let isFree = false

/** From now on the browser asks whether the page may go (specification 2, point 2, "Page shell"). */
export function askBeforeUnload(): void {
  window.addEventListener('beforeunload', (event) => {
    if (!isFree) event.preventDefault()
  })
}

/** The page goes because it has to, or because somebody has just asked for it: nobody is asked again. */
export function leaveFreely(): void {
  isFree = true
}
