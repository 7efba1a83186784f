import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { FakeSession } from '../../src/client/core/live/testing/fake-session.ts'
import type { SocketTransport, SocketTransportListener } from '../../src/client/core/platform/environment.ts'
import { FakeEnvironment, flushPromises } from '../../src/client/core/platform/testing/fake-environment.ts'
import type { NodeApp } from '../../src/server/kernel/http/node-app.ts'
import { receiveFrame } from '../../src/server/kernel/live/dispatch.ts'
import type { TestRegion, TestUser } from '../../src/server/testing/fixtures/test-region.ts'

/** A region and its HTTP routes. */
export interface Site {
  region: TestRegion
  app: NodeApp
}

/** What the HTTP server gives each request. */
export const bindings = { incoming: new IncomingMessage(new Socket()) }

/** A browser whose WebSocket leads to the region; what the server sends waits while `isHeld`. */
export class RegionEnvironment extends FakeEnvironment {
  isHeld = false
  disconnect = (): void => {}
  private readonly region: TestRegion
  private readonly frames: (() => void)[] = []

  constructor(region: TestRegion) {
    super()
    this.region = region
  }

  override openTransport = (listener: SocketTransportListener): SocketTransport => {
    let isOpen = true
    const { region } = this
    const connection = region.connections.openConnection({
      send: (chain) => {
        const bytes = Uint8Array.from(chain.payload())
        this.frames.push(() => isOpen && listener.onBytes(bytes))
        if (!this.isHeld) queueMicrotask(() => void this.deliver())
      },
      bufferedBytes: () => 0,
      ping: () => {},
      close: (code) => listener.onClose(code),
    })
    queueMicrotask(() => listener.onOpen())
    this.disconnect = () => {
      isOpen = false
      region.connections.removeConnection(connection)
    }
    return { send: (bytes) => receiveFrame(region.appContext, connection, bytes), close: this.disconnect }
  }

  /** Delivers what waits, as a slow network does at last. */
  async deliver(): Promise<void> {
    for (let frame = this.frames.shift(); frame; frame = this.frames.shift()) {
      frame()
      await flushPromises()
    }
  }
}

/** The session of a user of the region. */
export class UserSession extends FakeSession {
  private readonly user: TestUser
  private readonly tab: string
  constructor(user: TestUser, tab: string) {
    super()
    this.user = user
    this.tab = tab
  }
  override token = () => this.user.token
  override tabId = () => this.tab
  override isSelf = (userId: number) => userId === this.user.userId
}
