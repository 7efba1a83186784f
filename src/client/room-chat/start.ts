import { loadPart } from '../load-part.ts'

/** Shows the message that the URL of a room names, also after a move to another room. */
export function start(): void {
  const show = (): void => {
    if (location.hash) void loadPart(() => import('./show-message.ts')).then((loaded) => loaded.showLinkedMessage())
  }
  document.addEventListener('meydan:navigated', show)
  show()
}
