import { createServer } from 'node:http'
import { Server, type Socket } from 'socket.io'
import { encode } from '../../src/shared/protocol/frame.ts'
import { JoinAnnouncer } from './join-announcer.ts'
import { createPeerMessage, type PeerMessageInput } from './peer-message.ts'

/**
 * A chat room on socket.io as its documentation builds one: websocket only, nothing persisted. With `PAYLOAD=binary`
 * the event carries MessagePack bytes, which socket.io sends as a second frame behind a placeholder. With
 * `JOINS=each` every join is sent at once, with `JOINS=coalesced` joins are coalesced as on our server.
 */
const isBinary = process.env.PAYLOAD === 'binary'
const http = createServer((_, response) => response.end())
const io = new Server(http, { transports: ['websocket'], serveClient: false })
const joinAnnouncer = new JoinAnnouncer(io, process.env.JOINS === 'coalesced')
let lastId = 0

io.on('connection', (socket: Socket) => {
  socket.on('joinRoom', async ({ roomId }: { roomId: number }, answer: (value: unknown) => void) => {
    await joinAnnouncer.join(socket, roomId)
    answer({ success: true })
  })
  socket.on('sendMessage', (input: PeerMessageInput, answer: (value: unknown) => void) => {
    const message = createPeerMessage(++lastId, input)
    io.to(`room:${input.roomId}`).emit('message', isBinary ? Buffer.from(encode(message)) : message)
    answer({ success: true, id: message.id, createdAt: message.createdAt })
  })
})

http.listen(Number(process.env.PORT), '127.0.0.1', 4096)
