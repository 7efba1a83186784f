import { type ReactNode, useCallback } from 'react'
import type { RoomId } from '../../shared/protocol/ids.ts'
import { isolateBidi } from '../../shared/text/bidi-isolate.ts'
import type { OverlayProps } from '../shell/overlays/overlays.ts'
import { loadStatus } from '../site-status/load-status.ts'
import { LoadNote, StatList } from '../site-status/stats.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { countText } from '../ui/format/turkish-number.ts'
import { dateText } from '../ui/format/turkish-time.ts'
import { useLoaded } from '../ui/lists/use-loaded.ts'
import { fetchRoom, type RoomDetails } from './fetch-room.ts'

/** 'Oda Yönetimi': the details of the current room. */
export function RoomManagement({ roomId, onClose }: OverlayProps & { roomId: RoomId }): ReactNode {
  const load = useCallback(() => Promise.all([fetchRoom(roomId), loadStatus(roomId)]), [roomId])
  const { reload, ...room } = useLoaded(load)
  return (
    <Modal title="Oda Yönetimi" onClose={onClose}>
      {room.state !== 'loaded' ? (
        <LoadNote state={room.state} reload={reload} />
      ) : (
        <>
          <StatList label={`#${isolateBidi(room.value[0].room.name)} odasında`} status={room.value[1]} />
          <RoomDetailList facts={room.value[0]} />
        </>
      )}
    </Modal>
  )
}

function RoomDetailList({ facts: { room, ownerUsername } }: { facts: RoomDetails }): ReactNode {
  return (
    <dl className="stat-rows">
      <DetailRow name="Sahibi" value={ownerUsername ?? 'Meydan'} />
      <DetailRow name="Kapasite" value={`${countText(room.capacity)} kişi`} />
      <DetailRow name="Adminler" value={countText(room.Admins.length)} />
      <DetailRow name="Oda listesinde" value={room.isList ? 'Görünüyor' : 'Görünmüyor'} />
      <DetailRow name="Açılış" value={dateText(room.createdAt)} />
      <DetailRow name="Bitiş" value={room.expiryDate === null ? 'Süresiz' : dateText(room.expiryDate)} />
    </dl>
  )
}

function DetailRow({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <div className="stat-row">
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  )
}
