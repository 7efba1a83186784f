import { type Background, backgroundSources } from '../../model/rooms/room-background.tsx'

/** Replaces the background of the shown room, which the server has rendered, or removes it. */
export function showBackground(background: Background): void {
  const main = document.querySelector('.room-frame > main')
  const sources = backgroundSources(background)
  const shown = main?.querySelector('.room-background') ?? null
  if (!sources) shown?.remove()
  else if (shown?.getAttribute('src') !== sources.src) {
    const image = Object.assign(document.createElement('img'), { className: 'room-background', alt: '', ...sources })
    shown?.remove()
    main?.prepend(image)
  }
}
