import { setTimeout as sleep } from 'node:timers/promises'
import type { Refusal } from '../../src/shared/protocol/refusals.ts'
import { AddressedClient } from '../drivers/addressed-request.ts'
import { expectAnswer, LiveConnection } from '../drivers/live-connection.ts'
import type { BystanderReport, BystanderRequest } from './bystanders.ts'

/** In one room, so that none writes four messages in a row; with over 200 samples the 99th percentile leaves out the two slowest. */
const COUNT = 16
const MESSAGE_INTERVAL_MS = 1_000
/** One page for this many messages of a bystander. */
const MESSAGES_PER_PAGE_VIEW = 5
const ROOM_ID = 1

/** Guests in one room, each from an address of its own, who write one message a second and open the room's page every five. */
class Bystanders {
  readonly #members: { client: AddressedClient; cookie: string; connection: LiveConnection }[] = []
  #report: BystanderReport = { latenciesMs: [], failures: [] }
  #isRunning = false
  #loops: Promise<void>[] = []

  async connect(origin: string): Promise<void> {
    for (let index = 0; index < COUNT; index++) {
      const client = new AddressedClient(origin, `127.77.0.${index + 1}`)
      const { token, cookie } = await client.signInAsGuest(`Seyirci${index}`)
      const { connection } = await LiveConnection.open(origin, token, { localAddress: client.address })
      expectAnswer(await connection.request('joinRoom', { roomId: ROOM_ID }))
      this.#members.push({ client, cookie, connection })
    }
  }

  start(): void {
    this.#report = { latenciesMs: [], failures: [] }
    this.#isRunning = true
    this.#loops = this.#members.map((_, index) => this.#chat(index))
  }

  async stop(): Promise<BystanderReport> {
    this.#isRunning = false
    await Promise.all(this.#loops)
    return this.#report
  }

  async #chat(index: number): Promise<void> {
    const member = this.#members[index]
    if (!member) return
    let dueAt = performance.now() + (index * MESSAGE_INTERVAL_MS) / COUNT
    for (let sent = index; this.#isRunning; sent++) {
      await sleep(Math.max(0, dueAt - performance.now()))
      await this.#measure(dueAt, () =>
        member.connection.request('sendMessage', { roomId: ROOM_ID, content: `Selam ${sent}` }).then(describeRefusal),
      )
      if (sent % MESSAGES_PER_PAGE_VIEW === 0) {
        await this.#measure(performance.now(), async () => {
          const { status } = await member.client.request(`/room/${ROOM_ID}`, { headers: { Cookie: member.cookie } })
          return status === 200 ? null : `page ${status}`
        })
      }
      dueAt += MESSAGE_INTERVAL_MS
    }
  }

  /** From `dueAt`, so that a late start counts too. */
  async #measure(dueAt: number, act: () => Promise<string | null>): Promise<void> {
    const failure = await act().catch((error: unknown) => String(error))
    this.#report.latenciesMs.push(performance.now() - dueAt)
    if (failure) this.#report.failures.push(failure)
  }
}

function describeRefusal(outcome: object | Refusal): string | null {
  return 'body' in outcome ? `message ${outcome.body.code}` : null
}

const bystanders = new Bystanders()
process.on('message', async (message) => {
  const request = message as BystanderRequest // bystanders.ts sends nothing else
  if (request.do === 'connect') await bystanders.connect(request.origin)
  if (request.do === 'start') bystanders.start()
  process.send?.(request.do === 'stop' ? await bystanders.stop() : null)
})
process.on('disconnect', () => process.exit())
