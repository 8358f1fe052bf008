"use client"

import { shortTitle } from "@docket/core/session-title"
import { PageLink } from "../../shell/page-link.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import { hitHref } from "./hit-href.ts"
import { hitLabel } from "./hit-label.ts"
import { MarkedText } from "./marked-text.tsx"
import styles from "./search.module.css"
import { searchHref } from "./search-href.ts"
import { useSearch } from "./use-search.ts"

/** Search hits in subagent titles, prompts and answers, each as a link to its place. */
export function SearchResults({ text, onNavigate }: { text: string; onNavigate: () => void }) {
  const search = useSearch(text)
  if (search.isLoadingError) return <ErrorState title="The search failed" message={search.error.message} />
  if (search.data === undefined) return <SkeletonRows count={3} label="Searching" />
  // Root sessions are already listed above by their titles.
  const hits = search.data.hits.filter(({ session, part }) => part !== null || session.id !== session.rootID)
  return (
    <section aria-label="In subagents and transcripts">
      <h2 className={styles.heading}>In subagents and transcripts</h2>
      {hits.length === 0 ? <p className={styles.note}>No subagent, prompt, answer or call holds these words.</p> : null}
      <ul>
        {hits.map((hit) => (
          <li key={hit.part?.id ?? hit.session.id}>
            <PageLink href={hitHref(hit)} className={styles.hit} onClick={onNavigate}>
              {hit.part === null ? (
                <span>{shortTitle(hit.session)}</span>
              ) : (
                <span className={styles.excerpt}>
                  <MarkedText {...hit.excerpt} />
                </span>
              )}
              <span className={styles.title}>{hitLabel(hit)}</span>
            </PageLink>
          </li>
        ))}
      </ul>
      <PageLink href={searchHref(text)} className={`${styles.hit} ${styles.all}`} onClick={onNavigate}>
        All results, with filters
      </PageLink>
    </section>
  )
}
