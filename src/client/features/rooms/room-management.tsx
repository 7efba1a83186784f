import { type ReactNode, useCallback, useState } from 'react'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import { useLazy } from '../../core/loading/use-lazy.ts'
import { useCloseOnBack } from '../../core/navigation/use-close-on-back.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { useFocusOnChange } from '../../core/ui/dialogs/use-focus-on-change.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { dateText } from '../../core/ui/format/turkish-time.ts'
import { ChevronIcon } from '../../core/ui/lazy-icons.tsx'
import { ListLoading } from '../../core/ui/lists/paged-list.tsx'
import { useLoaded } from '../../core/ui/lists/use-loaded.ts'
import type { RoomDetails } from '../../model/rooms/fetch-room.ts'
import {
  managementSectionsFor,
  type RoomManagementSection,
  type RoomManagementSectionProps,
} from '../../model/rooms/room-management-section.ts'
import { loadStatus } from '../../model/site-status/load-status.ts'
import { LoadNote, StatList } from '../../model/site-status/stats.tsx'
import { managementRoleIn, useRoomDetails } from './use-room-details.ts'
import './room-management.css'

/** 'Oda Yönetimi': the details of a room, and for its owner, its admins and root admins the sections of all features. */
export function RoomManagement({ roomId, onClose }: OverlayProps & { roomId: RoomId }): ReactNode {
  const { details, isFailed, reload } = useRoomDetails(roomId)
  const [chosen, choose] = useState<RoomManagementSection | null>(null)
  const sections = managementSectionsFor(details && managementRoleIn(details))
  // Rights that end close the section.
  const section = chosen && sections.includes(chosen) ? chosen : null
  const leaveSection = useCallback(() => choose(null), [])
  const content = useFocusOnChange(section)
  useCloseOnBack(leaveSection, section !== null)
  return (
    <Modal
      title={section?.label ?? 'Oda Yönetimi'}
      dismissIcon={section ? 'back' : 'close'}
      isFullScreen
      onClose={section ? leaveSection : onClose}
    >
      <div ref={content} className="room-management" tabIndex={-1}>
        {!details && <LoadNote state={isFailed ? 'failed' : 'loading'} reload={reload} />}
        {details && !section && <Overview details={details} sections={sections} choose={choose} />}
        {details && section && (
          <LoadedSection key={section.order} section={section} roomId={roomId} details={details} reload={reload} />
        )}
      </div>
    </Modal>
  )
}

interface OverviewProps {
  details: RoomDetails
  sections: readonly RoomManagementSection[]
  choose: (section: RoomManagementSection) => void
}

function Overview({ details, sections, choose }: OverviewProps): ReactNode {
  return (
    <>
      <RoomCounts room={details.room} />
      {sections.length > 0 && (
        <ul>
          {sections.map((section) => (
            <li key={section.order}>
              <SectionRow section={section} details={details} choose={choose} />
            </li>
          ))}
        </ul>
      )}
      <RoomDetailList facts={details} />
    </>
  )
}

/** The users of the room, by gender and device; elsewhere only its name. */
function RoomCounts({ room: { id, name } }: { room: RoomDetails['room'] }): ReactNode {
  const load = useCallback(async () => (shownRoom.peek()?.id === id ? loadStatus(id) : null), [id])
  const { value: status } = useLoaded(load)
  if (status) return <StatList label={`#${isolateBidi(name)} odasında`} status={status} />
  return (
    <p className="room-management-name">
      <bdi>#{name}</bdi>
    </p>
  )
}

interface SectionRowProps {
  section: RoomManagementSection
  details: RoomDetails
  choose: OverviewProps['choose']
}

function SectionRow({ section, details, choose }: SectionRowProps): ReactNode {
  const { icon: Icon, label, order, summarise } = section
  return (
    <button
      type="button"
      className="row-button wide room-management-row"
      data-section={order}
      onClick={() => choose(section)}
    >
      <Icon />
      <span className="grow">{label}</span>
      {summarise && (
        <span className="truncate faint small">
          <bdi>{summarise(details)}</bdi>
        </span>
      )}
      <ChevronIcon size={18} />
    </button>
  )
}

function LoadedSection({
  section,
  ...props
}: RoomManagementSectionProps & { section: RoomManagementSection }): ReactNode {
  const part = useLazy(section.load)
  return part ? <part.component {...props} /> : <ListLoading />
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
