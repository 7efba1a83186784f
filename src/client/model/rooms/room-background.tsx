import type { ReactNode } from 'react'
import type { Room } from '../../../shared/rooms/protocol.ts'

export type Background = Pick<Room, 'backgroundImage' | 'smallBackgroundImage'>

/** The attributes of a background's `<img>`: the small picture on phones, the large one elsewhere. */
export function backgroundSources({ backgroundImage, smallBackgroundImage }: Background) {
  if (backgroundImage === null) return null
  const [large, small] = [backgroundImage, smallBackgroundImage ?? backgroundImage].map((name) => `/uploads/${name}`)
  return { src: large, srcSet: `${small} 960w, ${large} 1920w`, sizes: '100vw' }
}

/** The picture behind a room's messages; its style keeps them readable (room-frame.css). */
export function RoomBackground(room: Background): ReactNode {
  const sources = backgroundSources(room)
  return sources && <img className="room-background" alt="" decoding="async" {...sources} />
}
