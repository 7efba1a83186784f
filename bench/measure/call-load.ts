import { LineProcess } from './line-process.ts'

/** What a run of bench/peers/pion/load tells. */
export interface RunResult {
  sent: number
  received: number
  misrouted: number
  undecrypted: number
  seconds: number
  /** From sending to decrypting. */
  p50Ms: number
  p99Ms: number
  /** The longest time between two turns of the sender, which should be 1 ms. */
  maxTickMs: number
}

interface Description {
  sdp: string
}

/** The browsers of calls, as far as a relay sees them, in a process of their own. Call n has the clients 2n and 2n + 1. */
export class CallLoad {
  readonly #process: LineProcess

  constructor(program: string) {
    this.#process = new LineProcess(program, [], 1)
  }

  async offer(client: number): Promise<string> {
    return (await this.#process.request<Description>({ op: 'offer', client })).sdp
  }

  async answer(client: number, sdp: string): Promise<string> {
    return (await this.#process.request<Description>({ op: 'answer', client, sdp })).sdp
  }

  async accept(client: number, sdp: string): Promise<void> {
    await this.#process.request({ op: 'accept', client, sdp })
  }

  /** Resolves when the client has its keys for SRTP. */
  async waitUntilConnected(client: number): Promise<void> {
    await this.#process.request({ op: 'connected', client })
  }

  /** The clients of the first calls send for a number of seconds. Rejects when a packet came from elsewhere or could not be opened. */
  async run(calls: number, seconds: number): Promise<RunResult> {
    const result = await this.#process.request<RunResult>({ op: 'run', calls, seconds })
    if (result.misrouted > 0 || result.undecrypted > 0) throw new Error(`wrong packets: ${JSON.stringify(result)}`)
    return result
  }

  stop(): Promise<void> {
    return this.#process.stop()
  }
}
