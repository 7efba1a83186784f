import type { ReactNode } from 'react'
import type { ProfileSectionProps } from '../../model/profiles/profile-section.ts'
import './created-rooms.css'

/** The rooms that the user of a profile has created, as links. */
export function CreatedRooms({ answer: { createdRooms } }: ProfileSectionProps): ReactNode {
  return (
    <section className="profile-section">
      <h4>Odaları</h4>
      <ul className="row wrap">
        {createdRooms.map(({ id, name }) => (
          <li key={id}>
            <a className="created-room" href={`/room/${id}`}>
              <bdi>#{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
