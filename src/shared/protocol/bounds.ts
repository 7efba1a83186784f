/** Values in a client's frame, including those inside arrays and maps. */
const MAX_FRAME_VALUES = 2048
/** Nesting depth of arrays and maps. */
const MAX_FRAME_DEPTH = 16

/** The extent of a MessagePack value, without the values inside it. */
interface Extent {
  kind: 'text' | 'map' | 'other'
  headBytes: number
  bodyBytes: number
  /** Values directly inside it, including map keys. */
  children: number
}

/**
 * Whether a client's frame may be decoded: complete values within the limits, no extension types, and map keys that are
 * text and start with a letter. It reads only headers and allocates nothing for declared lengths, so a few bytes cannot
 * claim gigabytes (CVE-2026-21452), and no key is `__proto__` (CVE-2021-21368) or an array index. Source: the MessagePack
 * specification, "Formats".
 */
export function isWithinBounds(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const open: { left: number; isMap: boolean }[] = []
  let offset = 0
  for (let items = 0; offset < bytes.length; items++) {
    const extent = readExtent(view, offset)
    const end = extent ? offset + extent.headBytes + extent.bodyBytes : Number.POSITIVE_INFINITY
    if (!extent || end > bytes.length || items === MAX_FRAME_VALUES) return false
    const parent = open.at(-1)
    const isKey = parent?.isMap && parent.left % 2 === 0
    if (
      isKey &&
      !(extent.kind === 'text' && extent.bodyBytes > 0 && isLetter(view.getUint8(offset + extent.headBytes)))
    )
      return false
    if (parent) parent.left--
    if (extent.children > 0 && open.push({ left: extent.children, isMap: extent.kind === 'map' }) > MAX_FRAME_DEPTH)
      return false
    while (open.at(-1)?.left === 0) open.pop()
    offset = end
  }
  return open.length === 0
}

/** Body bytes by type byte: nil, booleans, floats and integers. */
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

/** Bytes of the length field by type byte: bin, str, array, map. */
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

/** The extent of the value at `offset`; null for a type that clients may not use, and for a truncated header. */
function readExtent(view: DataView, offset: number): Extent | null {
  const type = view.getUint8(offset)
  if (type < 0x80 || type >= 0xe0) return { kind: 'other', headBytes: 1, bodyBytes: 0, children: 0 }
  if (type < 0x90) return { kind: 'map', headBytes: 1, bodyBytes: 0, children: 2 * (type & 0x0f) }
  if (type < 0xa0) return { kind: 'other', headBytes: 1, bodyBytes: 0, children: type & 0x0f }
  if (type < 0xc0) return { kind: 'text', headBytes: 1, bodyBytes: type & 0x1f, children: 0 }
  const body = scalarBodies[type]
  if (body !== undefined) return { kind: 'other', headBytes: 1, bodyBytes: body, children: 0 }
  const width = lengthBytes[type]
  if (width === undefined || offset + 1 + width > view.byteLength) return null
  const length = readLength(view, offset + 1, width)
  const head = 1 + width
  if (type >= 0xde) return { kind: 'map', headBytes: head, bodyBytes: 0, children: 2 * length }
  if (type >= 0xdc) return { kind: 'other', headBytes: head, bodyBytes: 0, children: length }
  return { kind: type >= 0xd9 ? 'text' : 'other', headBytes: head, bodyBytes: length, children: 0 }
}

function readLength(view: DataView, offset: number, width: 1 | 2 | 4): number {
  if (width === 1) return view.getUint8(offset)
  return width === 2 ? view.getUint16(offset) : view.getUint32(offset)
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
