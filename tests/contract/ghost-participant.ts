import { randomUUID } from 'node:crypto'
import { readSessionCookie } from '../../src/server/testing/fixtures/test-api.ts'
import type { TestUser } from '../../src/server/testing/fixtures/test-region.ts'
import type { CommandInput, CommandName } from '../../src/shared/protocol/catalogue.ts'
import type { HttpRegion } from '../drivers/http-region.ts'
import { Normaliser } from './normalise-recording.ts'
import { ProtocolClient, type ProtocolValue, valueName, valuePayload } from './protocol-client.ts'

/** What one user got because of one step: the answers of their own requests, and the values of each tab, in order. */
export interface RecordedStep {
  step: string
  answers: unknown[]
  tabs: unknown[][]
}

interface Tab {
  client: ProtocolClient
  /** The number of values that are recorded. */
  takenCount: number
  roomId: number
}

/** What each participant of a run shares. */
export interface RecordedSite {
  http: HttpRegion
  /** What `sendPicture` uploads: the same in all runs. */
  picture: Uint8Array
  /** The moment from which times are counted, in epoch milliseconds. */
  startedAt: number
}

/** A user of a recorded run, who uses the site over the network, with their tabs and what they have got. */
export class Participant {
  readonly user: TestUser
  readonly steps: RecordedStep[] = []
  /** The paths of the files that this user has uploaded. */
  readonly files: string[] = []
  private readonly site: RecordedSite
  private readonly normaliser: Normaliser
  private readonly tabs: Tab[] = []
  private readonly received: ProtocolValue[] = []
  private answers: [subject: string, answer: unknown][] = []
  private cookie: string | null = null

  constructor(site: RecordedSite, user: TestUser) {
    this.site = site
    this.user = user
    this.normaliser = new Normaliser(site.startedAt)
  }

  get tabCount(): number {
    return this.tabs.length
  }

  get roomId(): number {
    return this.tabs[0]?.roomId ?? 1
  }

  /** Opens a tab in a room. */
  async openTab(roomId: number): Promise<void> {
    await this.connect(this.tabs.length, roomId, {})
    await this.enter(roomId, this.tabs.length - 1)
  }

  async enter(roomId: number, index = 0): Promise<void> {
    const tab = this.tabs[index]
    if (!tab) return
    await this.request('joinRoom', { roomId }, index)
    tab.roomId = roomId
  }

  /** The network ends the connection of a tab; resolves when the server has noticed. */
  async closeTab(index: number): Promise<void> {
    const [tab] = this.tabs.splice(index, 1)
    tab?.client.terminate()
    const { presence } = this.site.http.region.appContext
    while (presence.connectionsOf(this.user.userId).length > this.tabs.length)
      await new Promise((resolve) => setImmediate(resolve))
  }

  /** The connection of the first tab breaks, and comes back with its cursor. */
  async reconnect(): Promise<void> {
    const { roomId } = this
    const cursor = this.tabs[0]?.client.cursor ?? 0
    await this.closeTab(0)
    const answer = await this.connect(0, roomId, { cursor, roomId })
    if (!answer.resumed) await this.enter(roomId)
  }

  async closeAllTabs(): Promise<void> {
    while (this.tabs.length > 0) await this.closeTab(0)
  }

  /** Uploads the picture for a message in the present room, and sends it. */
  async sendPicture(): Promise<void> {
    const { roomId } = this
    const { mediaId } = await this.upload('/media/upload', { roomId: String(roomId) })
    if (typeof mediaId === 'number')
      await this.request('sendMessage', { roomId, content: '', mediaId, clientId: randomUUID() })
  }

  /** Uploads the picture for a message to a user, and sends it. */
  async sendPictureTo(recipientUsername: string): Promise<void> {
    const { mediaId } = await this.upload('/dm/upload-media', {})
    if (typeof mediaId !== 'number') return
    await this.request('sendDirectMessage', { recipientUsername, content: '', mediaId, clientId: randomUUID() })
  }

  /** Uploads the picture with a form. */
  private async upload(path: string, fields: Record<string, string>): Promise<Record<string, unknown>> {
    const form = new FormData()
    form.set('media', new Blob([new Uint8Array(this.site.picture)]), 'resim')
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const answer = await this.call(path, form)
    if (typeof answer.originalPath === 'string') this.files.push(answer.originalPath)
    return answer
  }

  /** Sends a command on a tab, and records its reply. Returns the answer, or what a refusal says. */
  async request<N extends CommandName>(name: N, input: CommandInput<N>, index = 0): Promise<Record<string, unknown>> {
    const tab = this.tabs[index]
    if (!tab) return {}
    const reply = await tab.client.request(name, { ...input })
    this.answers.push([name, reply])
    return reply.answer ?? reply.refusal ?? {}
  }

  /** Sends JSON or a form to a path of the API, or reads it without a body, and records the answer. */
  async call(path: string, body?: object): Promise<Record<string, unknown>> {
    const isForm = body instanceof FormData
    const headers = {
      'idempotency-key': randomUUID(),
      authorization: `Bearer ${this.user.token}`,
      ...(body && !isForm && { 'content-type': 'application/json' }),
    }
    const init = body ? { method: 'POST', body: isForm ? body : JSON.stringify(body) } : {}
    const response = await this.fetch(`/api${path}`, { ...init, headers })
    this.cookie = readSessionCookie(response) ?? this.cookie
    const answer = (await response.json()) as Record<string, unknown> // every route answers an object
    this.answers.push([path, { status: response.status, headers: headerNames(response), answer }])
    return answer
  }

  /** Opens a page with the cookie that the last token renewal has set. */
  async openPage(path: string): Promise<void> {
    const response = await this.fetch(path, {
      redirect: 'manual',
      headers: { ...(this.cookie && { cookie: this.cookie }) },
    })
    const text = await response.text()
    const page: unknown = text.startsWith('{') ? JSON.parse(text) : text
    this.answers.push([path, { status: response.status, headers: headerNames(response), page }])
  }

  /** Fetches an uploaded file, and records the status alone. */
  async fetchFile(path: string): Promise<void> {
    const response = await this.fetch(path, { headers: { authorization: `Bearer ${this.user.token}` } })
    await response.arrayBuffer()
    this.answers.push(['file', response.status])
  }

  /** The payload of the latest event of this name that this user has got and that matches. */
  latest(name: string, matches: (payload: Record<string, unknown>) => boolean): Record<string, unknown> | undefined {
    const found = this.received.findLast((value) => valueName(value) === name && matches(valuePayload(value)))
    return found && valuePayload(found)
  }

  /** Resolves when all that the server has sent to this user's tabs is here. */
  async receiveAll(): Promise<void> {
    await Promise.all(this.tabs.map(({ client }) => client.waitForPong()))
  }

  /** Ends the record of a step. */
  endStep(step: string): void {
    const answers = this.answers.map(([subject, answer]) => ({ [subject]: this.normaliser.normalise(answer, subject) }))
    this.answers = []
    this.steps.push({ step, answers, tabs: this.tabs.map((tab) => this.takeValues(tab)) })
  }

  private takeValues(tab: Tab): unknown[] {
    const values = tab.client.received.slice(tab.takenCount)
    tab.takenCount += values.length
    this.received.push(...values)
    return values.flatMap((value) => {
      const name = valueName(value)
      // Answers are recorded where they are awaited; `cursor` comes in its own time.
      if (typeof name !== 'string' || name === 'cursor') return []
      return [{ [name]: this.normaliser.normalise(valuePayload(value), name) }]
    })
  }

  private async connect(index: number, roomId: number, hello: Record<string, unknown>) {
    const client = await ProtocolClient.open(this.site.http.origin)
    this.tabs.splice(index, 0, { client, takenCount: 0, roomId })
    const reply = await client.hello(this.user.token, { browserId: `browser of ${this.user.username}`, ...hello })
    this.answers.push(['hello', reply])
    return reply.answer ?? {}
  }

  private fetch(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    const { origin } = this.site.http
    return fetch(origin + path, { ...init, headers: { origin, ...init.headers } })
  }
}

function headerNames({ headers }: Response): string[] {
  return [...headers.keys()]
}
