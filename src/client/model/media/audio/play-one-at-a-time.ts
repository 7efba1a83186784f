let isInstalled = false

/** From now on one file of the page plays at a time, audio or video. Streams of calls play beside it. */
export function playOneAtATime(): void {
  if (isInstalled) return
  isInstalled = true
  const pauseOthers = ({ target }: Event): void => {
    if (!isFile(target)) return
    for (const other of document.querySelectorAll<HTMLMediaElement>('video, audio'))
      if (other !== target && isFile(other)) other.pause()
  }
  document.addEventListener('play', pauseOthers, { capture: true })
}

function isFile(target: EventTarget | null): target is HTMLMediaElement {
  return target instanceof HTMLMediaElement && !target.srcObject && !target.muted
}
