import { createInterface } from 'node:readline'

/** An operation of a relay under measurement, as bench/measure/line-process.ts sends it. */
export interface RelayRequest {
  id: number
  op: 'open' | 'offer' | 'answer' | 'join'
  call: number
  side: 0 | 1
  sdp: string
}

/** Answers requests that come as lines of JSON on standard input, one after another; ends with standard input. */
export async function serveLines(handle: (request: RelayRequest) => Promise<object> | object): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as RelayRequest // bench/measure/line-process.ts sends nothing else
    console.log(JSON.stringify(await answer(request, handle)))
  }
  process.exit()
}

async function answer(request: RelayRequest, handle: (request: RelayRequest) => Promise<object> | object) {
  try {
    return { id: request.id, result: await handle(request) }
  } catch (error) {
    return { id: request.id, error: error instanceof Error ? error.message : String(error) }
  }
}
