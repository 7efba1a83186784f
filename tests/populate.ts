import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Gender } from '../src/shared/accounts/protocol.ts'
import { expectAnswer, LiveConnection, signInAsGuest } from './live-line.ts'
import type { SiteProcess } from './site.ts'

const MINUTE_MS = 60_000

/** Who says what, and how many minutes after the one before. */
const SAMPLE_MESSAGES: [speaker: string, words: string, minutesLater: number][] = [
  ['Deniz', 'İyi geceler meydan 😴', 0],
  ['Gülşah', 'İyi geceler Deniz, yarın görüşürüz', 1],
  ['Ozan', 'Günaydın herkese ☕', 9 * 60],
  ['Elif', 'Günaydın! Hava nasıl oralarda?', 2],
  ['Ozan', 'İzmir güneşli, balkondayım', 1],
  ['Ozan', 'Akşama konser var, gelen var mı?', 0],
  ['Mert', 'Ben varım 😎', 3],
  ['Gülşah', 'Kaçta başlıyor? İşten altıda çıkıyorum, yetişirsem ben de gelirim. Bilet var mı hâlâ?', 2],
  ['Ozan', 'Dokuzda. Kapıda da bilet oluyor', 1],
  ['Elif', 'Ben bu sefer yokum, sınavım var 😅', 4],
  ['Deniz', 'Kolay gelsin Elif', 1],
  ['Deniz', 'Hangi ders?', 0],
  ['Elif', 'Olasılık', 1],
  ['Mert', '😱', 0],
  ['Elif', '😂', 1],
  ['Çağla', 'Selam, ben yeni geldim. Buralar hep böyle kalabalık mı?', 6],
  ['Gülşah', 'Hoş geldin Çağla! Akşamları daha da kalabalık', 1],
]

const genders: Record<string, Gender> = {
  Gülşah: 'female',
  Ozan: 'male',
  Elif: 'female',
  Mert: 'male',
  Çağla: 'female',
}

/** Fills room 1 with people who are there, and with what they have said since yesterday. Answers how to send them home. */
export async function populateRoom(site: SiteProcess): Promise<() => void> {
  const speakers = [...new Set(SAMPLE_MESSAGES.map(([speaker]) => speaker))]
  const lines: LiveConnection[] = []
  for (const name of speakers) {
    const { token } = await signInAsGuest(site.origin, name, genders[name])
    const { line } = await LiveConnection.open(site.origin, token)
    expectAnswer(await line.request('joinRoom', { roomId: name === 'Deniz' ? 3 : 1 }))
    lines.push(line)
  }
  insertSampleMessages(site)
  return () => {
    for (const line of lines) line.socket.close()
  }
}

/** Who enter at once: enough that the site always has somebody to let in, and nobody waits for long. */
const CONNECT_CONCURRENCY = 50

/**
 * So many guests, `Kişi1001` and on or with another beginning, women and men by turns, who enter a room and stay; what
 * they hear there nobody reads. Answers how to send them home.
 */
export async function connectGuests(
  site: SiteProcess,
  count: number,
  roomId: number,
  beginning = 'Kişi',
): Promise<() => void> {
  const lines: LiveConnection[] = []
  let next = 0
  const openOneByOne = async (): Promise<void> => {
    while (next < count) {
      const n = next++
      const { token } = await signInAsGuest(site.origin, `${beginning}${1001 + n}`, n % 2 ? 'male' : 'female')
      lines.push((await LiveConnection.open(site.origin, token)).line)
    }
  }
  await Promise.all(Array.from({ length: CONNECT_CONCURRENCY }, openOneByOne))
  // All at once: whoever was in the room earlier would hear again and again of those who come.
  await Promise.all(lines.map(async (line) => expectAnswer(await line.request('joinRoom', { roomId }))))
  for (const line of lines) line.stopListening()
  return () => {
    for (const line of lines) line.socket.close()
  }
}

/** Straight into the table: it was said before the site was started, so nobody has to hear of it. */
function insertSampleMessages(site: SiteProcess): void {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { timeout: 5_000 })
  const insert = db.prepare(
    `insert into message (roomId, senderId, content, run, audience, clientId, createdAt)
     select 1, id, ?, 1, null, ?, ? from user where username = ?`,
  )
  let at = Date.now() - MINUTE_MS * SAMPLE_MESSAGES.reduce((sum, [, , minutes]) => sum + minutes, 2)
  for (const [speaker, words, minutesLater] of SAMPLE_MESSAGES) {
    at += minutesLater * MINUTE_MS
    insert.run(words, randomUUID(), at, speaker)
  }
  db.close()
}
