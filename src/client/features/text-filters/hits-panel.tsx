import type { ReactNode } from 'react'
import type { FilterHit } from '../../../shared/text-filters/protocol.ts'
import { filterTexts, hitActionLabels } from '../../../shared/text-filters/screen-texts.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { QuotedText } from '../../core/ui/quoted-text.tsx'
import { hitList } from './filter-lists.ts'
import { FilteredTextCard } from './filtered-text-card.tsx'

/** What the filter matched, the latest first. */
export function HitsPanel(): ReactNode {
  const list = useSignalValue(hitList.list, null)
  return (
    <PagedList<FilterHit, number>
      list={list}
      load={hitList.load}
      empty={filterTexts.noHits}
      row={(hit) => <HitCard key={hit.id} hit={hit} />}
      isEndless
    />
  )
}

function HitCard({ hit: { user, place, at, action, pattern, word, excerpt } }: { hit: FilterHit }): ReactNode {
  return (
    <FilteredTextCard
      user={user}
      place={place}
      at={at}
      text={<QuotedText text={excerpt ?? word} />}
      note={
        <>
          {hitActionLabels[action]} · <bdi>{pattern}</bdi>
        </>
      }
    />
  )
}
