import type { ReactNode } from 'react'
import { Island } from '../../../../../../src/client/core/islands/island.tsx'
import { Counter } from '../../../pieces/counter.island.tsx'
import { Resident } from '../../../pieces/resident.island.tsx'
import './[id].css'

export interface RoomProps {
  id: number
}

export const title = ({ id }: RoomProps): string => `Room ${id}`

export function Page({ id }: RoomProps): ReactNode {
  return (
    <div className="room">
      <h1>Room {id}</h1>
      <Island is={Counter} on="load" label={`Room ${id}`} start={id} />
      <Island is={Resident} on="load" people={Array.from({ length: 50 }, (_, index) => `person ${index}`)} />
      <a href={`/room/${id + 1}`}>Next</a>
      <a href="/room/nowhere">Nowhere</a>
      <a href="/room/framed">Framed</a>
      <a href="/room/moved">Moved</a>
      <a href="/">Out</a>
    </div>
  )
}
