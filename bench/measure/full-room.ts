import { randomUUID } from 'node:crypto'
import type { Message } from '../../src/shared/room-chat/message.ts'
import { connectAll } from '../contenders/contender.ts'
import { type MeydanSite, type MeydanVisitor, meydan } from '../contenders/meydan.ts'
import { toMessage } from '../peers/message.ts'

/** A room with people and talk in it, on a site of its own. */
export interface FullRoom {
  site: MeydanSite
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
export async function fillRoom(people: number): Promise<FullRoom> {
  const site = await meydan.start()
  try {
    // These are the site's own visitors.
    const visitors = (await connectAll(await site.invite(people))) as MeydanVisitor[]
    const id = await site.openRoom(visitors)
    const { signedIn, cookie } = await site.signIn()
    site.giveRoom(id, signedIn.user.id)
    const messages = Array.from({ length: MESSAGES }, (_, number) => messageOf(number, id))
    site.write(
      id,
      messages.flatMap(({ senderId, content }) => {
        const by = visitors[senderId]
        return by ? [{ by, content }] : []
      }),
    )
    const url = `${site.program.origin}/room/${id}`
    return { site, id, url, owner: cookie, messages, styles: await stylesOf(url, cookie) }
  } catch (error) {
    await site.stop()
    throw error
  }
}

/** Nothing that anybody would say, but as long as what people do, by one of many. Numbers begin at 0. */
export function messageOf(number: number, roomId: number): Message {
  const speaker = Math.floor((number * SPEAKERS) / MESSAGES) % SPEAKERS
  const count = 2 + ((number * 7) % 17)
  const content = Array.from({ length: count }, (_, index) => words[(number * 5 + index) % words.length]).join(' ')
  return {
    ...toMessage(number + 1, { roomId, content, clientId: randomUUID() }),
    senderId: speaker,
    senderUsername: `gezgin.${String(speaker + 1).padStart(5, '0')}`,
  }
}

async function stylesOf(url: string, cookie: string): Promise<string[]> {
  const html = await fetch(url, { headers: { cookie } }).then((response) => response.text())
  return [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, path]) => new URL(path ?? '', url).href)
}
