import { computed, type ReadonlySignal, signal } from '../../../core/signals/signal.ts'
import type { Conversation } from '../conversation.ts'
import type { Bubble, BubbleMedia } from '../store/message-types.ts'

const nothingHidden = signal(false)

/** Whether the conversation hides files of the other users now. */
export function isHidingMedia({ mediaHiding }: Conversation): ReadonlySignal<boolean> {
  return mediaHiding?.isOn ?? nothingHidden
}

/** The paths of hidden files that the viewer has asked to see, in this tab. */
export const revealedPaths = signal<ReadonlySet<string>>(new Set())

export function revealMedia(path: string): void {
  revealedPaths.value = new Set([...revealedPaths.peek(), path])
}

/** Whether the file of a message is hidden. Recordings are not: nothing of them is loaded or heard before a click. */
export function isMediaHidden({ isOwn, media }: Bubble, isHiding: boolean, revealed: ReadonlySet<string>): boolean {
  return isHiding && !isOwn && media !== undefined && media.mediaType !== 'audio' && !revealed.has(media.originalPath)
}

export type MediaBubble = Bubble & { media: BubbleMedia }

/** The pictures and videos of a conversation that are loaded and shown, oldest first. */
export function viewableBubbles(conversation: Conversation): ReadonlySignal<readonly MediaBubble[]> {
  const isHiding = isHidingMedia(conversation)
  return computed(() =>
    conversation.bubbles.value.filter(
      (bubble): bubble is MediaBubble =>
        bubble.media !== undefined &&
        bubble.media.mediaType !== 'audio' &&
        !isMediaHidden(bubble, isHiding.value, revealedPaths.value),
    ),
  )
}
