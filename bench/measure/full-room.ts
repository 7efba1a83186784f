import { randomUUID } from 'node:crypto'
import type { Message } from '../../src/shared/room-chat/message.ts'
import { createPeerMessage } from '../peers/peer-message.ts'
import { type MeydanClient, meydan, type RunningMeydan } from '../subjects/meydan.ts'
import { connectAll } from '../subjects/subject.ts'

/** A room with people and talk in it, on a site of its own. */
export interface FilledRoom {
  site: RunningMeydan
  id: number
  url: string
  /** The Cookie header of a guest who owns the room, and so may say there whatever comes to mind. */
  owner: string
  /** The latest 40, oldest first, as a browser is told of them. */
  messages: Message[]
  /** Addresses of the style sheets of its page. */
  styles: string[]
}

const MESSAGES = 40
/** Some speak twice in a row. */
const SPEAKERS = 26
const words =
  'bugün hava güzel sahilde yürüyüş yaptık sonra çay içtik akşama konser var gelen olursa haber versin'.split(' ')

/** As many people as asked for, with a line each, are in the room, and 40 messages. */
export async function createFilledRoom(people: number): Promise<FilledRoom> {
  const site = await meydan.start()
  try {
    // These are the site's own visitors.
    const visitors = (await connectAll(await site.prepareClients(people))) as MeydanClient[]
    const id = await site.openRoom(visitors)
    const { signedIn, cookie } = await site.signInGuest()
    site.setRoomOwner(id, signedIn.user.id)
    const messages = Array.from({ length: MESSAGES }, (_, number) => createSampleMessage(number, id))
    site.insertMessages(
      id,
      messages.flatMap(({ senderId, content }) => {
        const by = visitors[senderId]
        return by ? [{ by, content }] : []
      }),
    )
    const url = `${site.server.origin}/room/${id}`
    return { site, id, url, owner: cookie, messages, styles: await findStylesheets(url, cookie) }
  } catch (error) {
    await site.stop()
    throw error
  }
}

/** Nothing that anybody would say, but as long as what people do, by one of many. Numbers begin at 0. */
export function createSampleMessage(number: number, roomId: number): Message {
  const speaker = Math.floor((number * SPEAKERS) / MESSAGES) % SPEAKERS
  const count = 2 + ((number * 7) % 17)
  const content = Array.from({ length: count }, (_, index) => words[(number * 5 + index) % words.length]).join(' ')
  return {
    ...createPeerMessage(number + 1, { roomId, content, clientId: randomUUID() }),
    senderId: speaker,
    senderUsername: `gezgin.${String(speaker + 1).padStart(5, '0')}`,
  }
}

async function findStylesheets(url: string, cookie: string): Promise<string[]> {
  const html = await fetch(url, { headers: { cookie } }).then((response) => response.text())
  return [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, path]) => new URL(path ?? '', url).href)
}
