import { type ReactNode, useCallback } from 'react'
import { isolateBidi } from '../../shared/text/apart.ts'
import { Figures, FiguresNote } from '../shell/figures.tsx'
import type { OverlayProps } from '../shell/open.ts'
import { loadStatus } from '../shell/status.ts'
import { Modal } from '../ui/modal.tsx'
import { countText } from '../ui/turkish-number.ts'
import { dateText } from '../ui/turkish-time.ts'
import { useLoaded } from '../ui/use-loaded.ts'
import { loadRoomFacts, type RoomFacts } from './room-facts.ts'

/** 'Oda Yönetimi': what there is to know of the room that one is in. */
export function RoomManagement({ roomId, onClose }: OverlayProps & { roomId: number }): ReactNode {
  const load = useCallback(() => Promise.all([loadRoomFacts(roomId), loadStatus(roomId)]), [roomId])
  const { again, ...room } = useLoaded(load)
  return (
    <Modal title="Oda Yönetimi" onClose={onClose}>
      {room.state !== 'loaded' ? (
        <FiguresNote state={room.state} again={again} />
      ) : (
        <>
          <Figures label={`#${isolateBidi(room.value[0].room.name)} odasında`} status={room.value[1]} />
          <RoomFactList facts={room.value[0]} />
        </>
      )}
    </Modal>
  )
}

function RoomFactList({ facts: { room, ownerUsername } }: { facts: RoomFacts }): ReactNode {
  return (
    <dl className="facts">
      <Fact name="Sahibi" value={ownerUsername ?? 'Meydan'} />
      <Fact name="Kapasite" value={`${countText(room.capacity)} kişi`} />
      <Fact name="Adminler" value={countText(room.Admins.length)} />
      <Fact name="Oda listesinde" value={room.isList ? 'Görünüyor' : 'Görünmüyor'} />
      <Fact name="Açılış" value={dateText(room.createdAt)} />
      <Fact name="Bitiş" value={room.expiryDate === null ? 'Süresiz' : dateText(room.expiryDate)} />
    </dl>
  )
}

function Fact({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  )
}
