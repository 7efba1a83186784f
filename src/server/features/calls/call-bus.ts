import * as v from 'valibot'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { PeerBus } from '../../kernel/regions/peer-bus.ts'
import type { AnyCallCommand, CallAnswer, CallCommandName, CallSender } from './call-commands.ts'
import { AnswerMessage, parseAnswer, parseCommand, TOPICS } from './call-messages.ts'

/** A host that does not answer within this counts as cut off. */
const ANSWER_TIMEOUT_MS = 5_000
/** Commands that wait for other regions' answers. */
const MAX_WAITING_COMMANDS = 10_000

interface WaitingCommand {
  host: string
  name: CallCommandName
  timer: NodeJS.Timeout
  resolve(answer: CallAnswer): void
}

/** Passes commands to the hosts of calls in other regions and answers theirs. */
export class CallBus {
  private readonly bus: PeerBus
  private readonly waiting = new Map<number, WaitingCommand>()
  private lastRequestId = 0

  constructor(bus: PeerBus, handle: (command: AnyCallCommand) => CallAnswer) {
    this.bus = bus
    bus.on(TOPICS.command, (from, payload) => {
      const parsed = parseCommand(from, payload)
      if (!parsed) return
      const { requestId, command } = parsed
      const answer = handle(command)
      const outcome = answer instanceof Refusal ? { refusal: answer.body } : { answer }
      bus.send(from, TOPICS.answer, { requestId, name: command.name, ...outcome })
    })
    bus.on(TOPICS.answer, (from, payload) => this.onAnswer(from, payload))
  }

  get waitingCount(): number {
    return this.waiting.size
  }

  /** Resolves with the host's answer, or with RegionCut if it cannot be reached. @param onTimeout called if it does not answer in time */
  submit(host: string, command: AnyCallCommand, onTimeout: () => void): Promise<CallAnswer> {
    if (!this.bus.peers().includes(host)) return Promise.resolve(refuse('RegionCut'))
    if (this.waiting.size >= MAX_WAITING_COMMANDS) return Promise.resolve(refuse('Busy'))
    const requestId = ++this.lastRequestId
    const { promise, resolve } = Promise.withResolvers<CallAnswer>()
    const expire = () => {
      this.waiting.delete(requestId)
      onTimeout()
      resolve(refuse('RegionCut'))
    }
    const timer = setTimeout(expire, ANSWER_TIMEOUT_MS).unref()
    this.waiting.set(requestId, { host, name: command.name, timer, resolve })
    this.bus.send(host, TOPICS.command, { requestId, ...command, sender: withoutRegion(command.sender) })
    return promise
  }

  close(): void {
    for (const { timer, resolve } of this.waiting.values()) {
      clearTimeout(timer)
      resolve(refuse('ShuttingDown'))
    }
    this.waiting.clear()
  }

  private onAnswer(from: string, payload: unknown): void {
    const parsed = v.safeParse(AnswerMessage, payload)
    if (!parsed.success) return
    const { requestId, name, answer, refusal } = parsed.output
    const command = this.waiting.get(requestId)
    if (command?.host !== from || command.name !== name) return
    this.waiting.delete(requestId)
    clearTimeout(command.timer)
    const accepted = refusal ? null : parseAnswer(name, answer)
    const { code, ...more } = refusal ?? { code: 'Failed' as const }
    command.resolve((accepted ?? refuse(code, more)) as CallAnswer) // by the command's schema
  }
}

function withoutRegion({ userId, sessionId, tabId, connectionId }: CallSender): Omit<CallSender, 'region'> {
  return { userId, sessionId, tabId, connectionId }
}
