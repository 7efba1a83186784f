/*
 * The part of MessagePack that the protocol uses. The server's library is 5 KB compressed in
 * the browser, this 1 KB; messagepack.test.ts compares the two.
 * Source: the MessagePack specification, "Formats" (https://github.com/msgpack/msgpack/blob/master/spec.md).
 */

const utf8Encoder = new TextEncoder()
const utf8Decoder = new TextDecoder()
const MAX_UINT32 = 0xffff_ffff

/** One value as MessagePack. Fields whose value is undefined are left out. */
export function encode(value: unknown): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  writeValue(bytes, value)
  return Uint8Array.from(bytes)
}

/** Decodes the values of a frame in order. Throws when the last is cut off or a type is unknown. */
export function decodeAll(bytes: Uint8Array): unknown[] {
  const source = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), at: 0 }
  const values: unknown[] = []
  while (source.at < bytes.length) values.push(readValue(source))
  return values
}

function writeValue(bytes: number[], value: unknown): void {
  if (value === null || value === undefined) bytes.push(0xc0)
  else if (typeof value === 'boolean') bytes.push(value ? 0xc3 : 0xc2)
  else if (typeof value === 'number') writeNumber(bytes, value)
  else if (typeof value === 'string') writeText(bytes, utf8Encoder.encode(value))
  else if (value instanceof Uint8Array) writeBytes(bytes, value)
  else if (Array.isArray(value)) writeArray(bytes, value)
  else writeMap(bytes, Object.entries(value))
}

/** Integers beyond 32 bits are sent as floats, which JavaScript does not distinguish. */
function writeNumber(bytes: number[], value: number): void {
  const isWhole = Number.isInteger(value)
  if (isWhole && value >= -32 && value < 0x80) bytes.push(value & 0xff)
  else if (isWhole && value >= 0 && value <= MAX_UINT32) writeLength(bytes, [0xcc, 0xcd, 0xce], value)
  else bytes.push(0xcb, ...new Uint8Array(new Float64Array([value]).buffer).reverse())
}

function writeText(bytes: number[], encoded: Uint8Array): void {
  if (encoded.length < 32) bytes.push(0xa0 | encoded.length)
  else writeLength(bytes, [0xd9, 0xda, 0xdb], encoded.length)
  for (const byte of encoded) bytes.push(byte)
}

function writeBytes(bytes: number[], value: Uint8Array): void {
  writeLength(bytes, [0xc4, 0xc5, 0xc6], value.length)
  for (const byte of value) bytes.push(byte)
}

function writeArray(bytes: number[], items: unknown[]): void {
  if (items.length < 16) bytes.push(0x90 | items.length)
  else writeLength(bytes, [null, 0xdc, 0xdd], items.length)
  for (const item of items) writeValue(bytes, item)
}

function writeMap(bytes: number[], entries: [string, unknown][]): void {
  const present = entries.filter(([, value]) => value !== undefined)
  if (present.length < 16) bytes.push(0x80 | present.length)
  else writeLength(bytes, [null, 0xde, 0xdf], present.length)
  for (const pair of present) for (const part of pair) writeValue(bytes, part)
}

/** Writes a length in the fewest of 1, 2 or 4 bytes, after the head for that width. */
function writeLength(bytes: number[], heads: [one: number | null, two: number, four: number], length: number): void {
  const [one, two, four] = heads
  if (one !== null && length <= 0xff) bytes.push(one, length)
  else if (length <= 0xffff) bytes.push(two, length >> 8, length & 0xff)
  else bytes.push(four, length >>> 24, (length >>> 16) & 0xff, (length >>> 8) & 0xff, length & 0xff)
}

interface Source {
  bytes: Uint8Array
  view: DataView
  at: number
}

function readValue(source: Source): unknown {
  const type = readUint(source, 1)
  if (type < 0x80) return type
  if (type < 0x90) return readMap(source, type & 0x0f)
  if (type < 0xa0) return readArray(source, type & 0x0f)
  if (type < 0xc0) return utf8Decoder.decode(readBytes(source, type & 0x1f))
  if (type >= 0xe0) return type - 0x100
  switch (type) {
    case 0xc0:
      return null
    case 0xc2:
      return false
    case 0xc3:
      return true
    case 0xca:
      return source.view.getFloat32(advance(source, 4))
    case 0xcb:
      return source.view.getFloat64(advance(source, 8))
    case 0xcf:
      return Number(source.view.getBigUint64(advance(source, 8)))
    case 0xd0:
      return source.view.getInt8(advance(source, 1))
    case 0xd1:
      return source.view.getInt16(advance(source, 2))
    case 0xd2:
      return source.view.getInt32(advance(source, 4))
    case 0xd3:
      return Number(source.view.getBigInt64(advance(source, 8)))
    default:
      return readWithLength(source, type)
  }
}

/** Reads types with a length of 1, 2 or 4 bytes, and unsigned integers of the same widths. */
function readWithLength(source: Source, type: number): unknown {
  if (type >= 0xcc && type <= 0xce) return readUint(source, 1 << (type - 0xcc))
  if (type >= 0xc4 && type <= 0xc6) return readBytes(source, readUint(source, 1 << (type - 0xc4))).slice()
  if (type >= 0xd9 && type <= 0xdb) return utf8Decoder.decode(readBytes(source, readUint(source, 1 << (type - 0xd9))))
  if (type >= 0xdc && type <= 0xdd) return readArray(source, readUint(source, 2 << (type - 0xdc)))
  if (type >= 0xde) return readMap(source, readUint(source, 2 << (type - 0xde)))
  throw new RangeError(`MessagePack type ${type} is not of the protocol`)
}

function readArray(source: Source, length: number): unknown[] {
  const items: unknown[] = []
  while (items.length < length) items.push(readValue(source))
  return items
}

function readMap(source: Source, size: number): Record<string, unknown> {
  const entries: [string, unknown][] = []
  while (entries.length < size) entries.push([String(readValue(source)), readValue(source)])
  return Object.fromEntries(entries)
}

function readUint(source: Source, width: number): number {
  let value = 0
  for (const byte of readBytes(source, width)) value = value * 0x100 + byte
  return value
}

function readBytes(source: Source, length: number): Uint8Array {
  const start = advance(source, length)
  return source.bytes.subarray(start, source.at)
}

/** Advances by `length` bytes and returns the offset before them. */
function advance(source: Source, length: number): number {
  const start = source.at
  source.at += length
  if (source.at > source.bytes.length) throw new RangeError('MessagePack value is not whole')
  return start
}
