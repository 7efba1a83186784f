import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createMetrics } from '../../operations/metrics.ts'
import { encodeMedia, IceClient, mediaNumber } from '../testing/ice-client.ts'
import { createRelay, type Relay } from './relay.ts'

const settings = { port: 0, addresses: ['127.0.0.1'], hosts: [], workers: 1, maxCalls: 10 }

describe('the relay', () => {
  let relay: Relay
  afterEach(() => relay.close())

  it('[RELAY-01] passes packets of one side on to the other', async () => {
    const metrics = createMetrics()
    relay = createRelay({ settings, log: pino({ level: 'silent' }), metrics })
    const call = relay.openCall(() => {})
    if (!call) throw new Error('refused')
    const [udp] = call.candidates
    if (!udp) throw new Error('no candidate')
    const [a, b] = [await IceClient.open(), await IceClient.open()]
    const answer = await a.nominate(udp, call.legs[0].credentials)
    expect(answer.getAttributeValue('XOR-MAPPED-ADDRESS')).toEqual(['127.0.0.1', a.port])
    await b.nominate(udp, call.legs[1].credentials)
    await a.send(encodeMedia(7), udp)
    expect(mediaNumber((await b.receive(1))[0] ?? Buffer.alloc(0))).toBe(7)
    expect(call.legs[0].idleMs()).toBeLessThan(5_000)
    expect(await metrics.text()).toContain('meydan_relay_packets_total 1')
    call.close()
    a.close()
    b.close()
  })

  it('listens at all its addresses once it is warm', async () => {
    const addresses = ['127.0.0.1', '::1']
    relay = createRelay({
      settings: { ...settings, addresses },
      log: pino({ level: 'silent' }),
      metrics: createMetrics(),
    })
    expect(await relay.warmUp()).toBe(true)
  })
})
