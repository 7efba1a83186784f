/** How many values a client's frame may hold, those inside arrays and maps included. */
const MAX_FRAME_VALUES = 2048
/** How deep arrays and maps may be nested in it. */
const MAX_FRAME_DEPTH = 16

/** What a MessagePack value takes up before the values inside it begin. Heads and bodies are bytes. */
interface Extent {
  kind: 'text' | 'map' | 'other'
  headBytes: number
  bodyBytes: number
  /** Values inside it; a map's keys count. */
  children: number
}

/**
 * Whether a client's frame may be decoded: whole values and nothing else, not too many and not too deep, no extension
 * types, and keys that are text and start with a letter. It reads heads only and allocates nothing for what they
 * promise, so a few bytes cannot claim gigabytes (CVE-2026-21452), and no key is `__proto__` (CVE-2021-21368) or an
 * index for which a map would grow. Source: the MessagePack specification, "Formats".
 */
export function isWithinBounds(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const open: { left: number; isMap: boolean }[] = []
  let at = 0
  for (let items = 0; at < bytes.length; items++) {
    const extent = readExtent(view, at)
    const end = extent ? at + extent.headBytes + extent.bodyBytes : Number.POSITIVE_INFINITY
    if (!extent || end > bytes.length || items === MAX_FRAME_VALUES) return false
    const within = open.at(-1)
    const isKey = within?.isMap && within.left % 2 === 0
    if (isKey && !(extent.kind === 'text' && extent.bodyBytes > 0 && isLetter(view.getUint8(at + extent.headBytes))))
      return false
    if (within) within.left--
    if (extent.children > 0 && open.push({ left: extent.children, isMap: extent.kind === 'map' }) > MAX_FRAME_DEPTH)
      return false
    while (open.at(-1)?.left === 0) open.pop()
    at = end
  }
  return open.length === 0
}

/** Bytes after the head, by head: nil, the booleans, floats and integers. */
const scalarBodies: Readonly<Record<number, number>> = {
  192: 0,
  194: 0,
  195: 0,
  202: 4,
  203: 8,
  204: 1,
  205: 2,
  206: 4,
  207: 8,
  208: 1,
  209: 2,
  210: 4,
  211: 8,
}

/** Bytes of the length that follows the head, by head: bin, str, array, map. */
const lengthBytes: Readonly<Record<number, 1 | 2 | 4>> = {
  196: 1,
  197: 2,
  198: 4,
  217: 1,
  218: 2,
  219: 4,
  220: 2,
  221: 4,
  222: 2,
  223: 4,
}

/** The value at this place, or null when it is of no type that clients may use, or ends too soon to say. */
function readExtent(view: DataView, at: number): Extent | null {
  const type = view.getUint8(at)
  if (type < 0x80 || type >= 0xe0) return { kind: 'other', headBytes: 1, bodyBytes: 0, children: 0 }
  if (type < 0x90) return { kind: 'map', headBytes: 1, bodyBytes: 0, children: 2 * (type & 0x0f) }
  if (type < 0xa0) return { kind: 'other', headBytes: 1, bodyBytes: 0, children: type & 0x0f }
  if (type < 0xc0) return { kind: 'text', headBytes: 1, bodyBytes: type & 0x1f, children: 0 }
  const body = scalarBodies[type]
  if (body !== undefined) return { kind: 'other', headBytes: 1, bodyBytes: body, children: 0 }
  const width = lengthBytes[type]
  if (width === undefined || at + 1 + width > view.byteLength) return null
  const length = readLength(view, at + 1, width)
  const head = 1 + width
  if (type >= 0xde) return { kind: 'map', headBytes: head, bodyBytes: 0, children: 2 * length }
  if (type >= 0xdc) return { kind: 'other', headBytes: head, bodyBytes: 0, children: length }
  return { kind: type >= 0xd9 ? 'text' : 'other', headBytes: head, bodyBytes: length, children: 0 }
}

function readLength(view: DataView, at: number, width: 1 | 2 | 4): number {
  if (width === 1) return view.getUint8(at)
  return width === 2 ? view.getUint16(at) : view.getUint32(at)
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
