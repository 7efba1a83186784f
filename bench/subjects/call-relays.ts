import { buildTool } from '../../scripts/regions/find-tool.ts'
import { CallLoad, type RunResult } from '../measure/call-load.ts'
import { LineProcess } from '../measure/line-process.ts'

const MODULE = 'bench/peers/pion'

/** How a relay comes between the two of a call: it rewrites their descriptions, or answers each itself. */
type Signalling = 'passesOn' | 'terminates'

interface RelaySubject {
  command: string
  args: string[]
  signalling: Signalling
}

/** Runs with CPU seconds of the relay's process. */
export interface RelayRun extends RunResult {
  cpuSeconds: number
}

/** All relays, and the program that loads them. */
export interface RelaySubjects {
  load: string
  ours: RelaySubject
  pion: RelaySubject
  werift: RelaySubject
  /** Passes datagrams on without looking at them: the ceiling. */
  bare: RelaySubject
}

/** Builds the programs in Go, or tells why that fails. Without them there is neither load nor peer. */
export function findRelays(): RelaySubjects | { missing: string } {
  const load = buildTool({ name: 'call-load', module: MODULE, program: './load' })
  if ('missing' in load) return load
  const pion = buildTool({ name: 'pion-relay', module: MODULE, program: './relay' })
  if ('missing' in pion) return pion
  const inNode = (file: string, signalling: Signalling): RelaySubject => ({
    command: process.execPath,
    args: [`bench/peers/${file}.ts`],
    signalling,
  })
  return {
    load: load.path,
    ours: inNode('meydan-relay', 'passesOn'),
    pion: { command: pion.path, args: [], signalling: 'terminates' },
    werift: inNode('werift-relay', 'terminates'),
    bare: inNode('udp-loop', 'passesOn'),
  }
}

/** A relay in a process of its own, with a load that has calls over it. */
export class LoadedRelay {
  readonly #relay: LineProcess
  readonly #load: CallLoad
  readonly #signalling: Signalling
  #calls = 0

  constructor({ command, args, signalling }: RelaySubject, load: string) {
    this.#relay = new LineProcess(command, args, 0)
    this.#load = new CallLoad(load)
    this.#signalling = signalling
  }

  get isPinned(): boolean {
    return this.#relay.isPinned
  }

  /** Sets calls up, one after another, until there are so many. They send nothing but consent checks. */
  async openCalls(count: number): Promise<void> {
    for (; this.#calls < count; this.#calls++) {
      await (this.#signalling === 'passesOn' ? this.#connectDirectly(this.#calls) : this.#connectEach(this.#calls))
    }
  }

  /** The first calls send; the CPU seconds are those of the relay until the last packet has come. */
  async run(calls: number, seconds: number): Promise<RelayRun> {
    const before = this.#relay.cpuSeconds()
    const result = await this.#load.run(calls, seconds)
    return { ...result, cpuSeconds: this.#relay.cpuSeconds() - before }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#relay.stop(), this.#load.stop()])
  }

  async #connectDirectly(call: number): Promise<void> {
    const [caller, callee] = [2 * call, 2 * call + 1]
    const rewrite = (op: 'offer' | 'answer', sdp: string) => this.#relay.request<{ sdp: string }>({ op, call, sdp })
    const offer = await rewrite('offer', await this.#load.offer(caller))
    const answer = await rewrite('answer', await this.#load.answer(callee, offer.sdp))
    await this.#load.accept(caller, answer.sdp)
    await Promise.all([caller, callee].map((client) => this.#load.waitUntilConnected(client)))
  }

  async #connectEach(call: number): Promise<void> {
    for (const side of [0, 1] as const) {
      const client = 2 * call + side
      const sdp = await this.#load.offer(client)
      const answer = await this.#relay.request<{ sdp: string }>({ op: 'join', call, side, sdp })
      await this.#load.accept(client, answer.sdp)
      await this.#load.waitUntilConnected(client)
    }
  }
}
