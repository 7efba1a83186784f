import { randomUUID } from 'node:crypto'
import type { Message } from '../../src/shared/room-chat/message.ts'
import { createPeerMessage } from '../peers/peer-message.ts'
import { type MeydanClient, meydan, type RunningMeydan } from '../subjects/meydan.ts'
import { connectAll } from '../subjects/subject.ts'

/** A room with users and messages, on a new site. */
export interface FilledRoom {
  site: RunningMeydan
  id: number
  url: string
  /** The Cookie header of a guest who owns the room and has no chat limits there. */
  owner: string
  /** The latest 40, oldest first, as the protocol sends them. */
  messages: Message[]
  /** URLs of the style sheets of the room page. */
  styles: string[]
}

const MESSAGES = 40
/** Fewer than messages, so that some users send two in a row. */
const SPEAKERS = 26
const sampleWords =
  'bugün hava güzel sahilde yürüyüş yaptık sonra çay içtik akşama konser var gelen olursa haber versin'.split(' ')

/** Starts a site with a room of `people` connected guests and 40 messages. */
export async function createFilledRoom(people: number): Promise<FilledRoom> {
  const site = await meydan.start()
  try {
    // prepareClients of Meydan returns Meydan clients.
    const clients = (await connectAll(await site.prepareClients(people))) as MeydanClient[]
    const id = await site.openRoom(clients)
    const { signedIn, cookie } = await site.signInGuest()
    site.setRoomOwner(id, signedIn.user.id)
    const messages = Array.from({ length: MESSAGES }, (_, number) => createSampleMessage(number, id))
    site.insertMessages(
      id,
      messages.flatMap(({ senderId, content }) => {
        const sender = clients[senderId]
        return sender ? [{ sender, content }] : []
      }),
    )
    const url = `${site.server.origin}/room/${id}`
    return { site, id, url, owner: cookie, messages, styles: await findStylesheets(url, cookie) }
  } catch (error) {
    await site.stop()
    throw error
  }
}

/** A message of realistic length from one of 26 senders. `number` starts at 0. */
export function createSampleMessage(number: number, roomId: number): Message {
  const speaker = Math.floor((number * SPEAKERS) / MESSAGES) % SPEAKERS
  const count = 2 + ((number * 7) % 17)
  const content = Array.from(
    { length: count },
    (_, index) => sampleWords[(number * 5 + index) % sampleWords.length],
  ).join(' ')
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
