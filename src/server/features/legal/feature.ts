import { legalDocuments } from '../../../shared/legal/documents.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import { legalPageProps } from './legal-page-props.ts'

/** The public pages about using the site: terms, privacy, rules and contact. */
export function createFeature({ appContext: { config } }: FeatureContext): Feature {
  const allProps = Object.values(legalPageProps(config))
  return {
    registerRoutes(app, pages) {
      // The texts are the same for everybody, also for the banned and during maintenance: nobody's session is read.
      for (const props of allProps)
        app.get(legalDocuments[props.name].path, (context) => pages.render(context, '_legal', props, undefined))
    },
  }
}
