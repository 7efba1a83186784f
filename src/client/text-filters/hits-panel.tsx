import type { ReactNode } from 'react'
import type { FilterHit } from '../../shared/text-filters/protocol.ts'
import { filterTexts, hitActionLabels } from '../../shared/text-filters/screen-texts.ts'
import { PagedList } from '../ui/lists/paged-list.tsx'
import { useSignalValue } from '../use-signal-value.ts'
import { hitList } from './filter-lists.ts'
import { PersonButton, PlaceText, TimeText } from './subject-line.tsx'

/** What the filter matched, the latest first. */
export function HitsPanel(): ReactNode {
  const list = useSignalValue(hitList.list, null)
  return (
    <PagedList<FilterHit, number>
      list={list}
      load={hitList.load}
      empty={filterTexts.noHits}
      row={(hit) => <HitRow key={hit.id} hit={hit} />}
      isEndless
    />
  )
}

function HitRow({ hit: { user, place, at, action, pattern, word, excerpt } }: { hit: FilterHit }): ReactNode {
  return (
    <li className="filter-card">
      <div className="filter-subject">
        <PersonButton user={user} />
        <PlaceText place={place} />
        <TimeText at={at} />
      </div>
      <blockquote className="filter-text" dir="auto">
        {excerpt ?? word}
      </blockquote>
      <p className="filter-note">
        {hitActionLabels[action]} · <bdi>{pattern}</bdi>
      </p>
    </li>
  )
}
