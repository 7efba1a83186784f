/** Records clicks on plain buttons until `stop`; the returned function clicks the last of them again. */
export function recordClicks(island: Element, stop: AbortSignal): () => void {
  let pressed: HTMLElement | null = null
  const record = (event: Event): void => {
    const target = event.target instanceof Element ? event.target : null
    // Links and submit buttons do their work without a script, so they are left alone.
    pressed = target?.closest<HTMLElement>('button[type=button]') ?? null
  }
  island.addEventListener('click', record, { signal: stop })
  return () => {
    if (pressed?.isConnected) pressed.click()
  }
}
