"use client"

import { useTRPC } from "@docket/client/react"
import type { SearchHit } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { shortTitle } from "@docket/core/session-title"
import { Button } from "@mantine/core"
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { groupHits } from "../../../../features/search/group-hits.ts"
import { hitHref } from "../../../../features/search/hit-href.ts"
import { hitLabel } from "../../../../features/search/hit-label.ts"
import { MarkedText } from "../../../../features/search/marked-text.tsx"
import { rememberSearch } from "../../../../features/search/recent-searches.ts"
import { utcOffset } from "../../../../features/search/use-search.ts"
import { PageLink } from "../../../../shell/page-link.tsx"
import { EmptyState } from "../../../../ui/empty-state.tsx"
import { ErrorState } from "../../../../ui/error-state.tsx"
import { formatCount } from "../../../../ui/format-count.ts"
import page from "../../../../ui/page.module.css"
import { PrivateLock } from "../../../../ui/private-lock.tsx"
import { RelativeTime } from "../../../../ui/relative-time.tsx"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import styles from "./search.module.css"

/** Search results grouped by tree. Each one links to its place. */
export function FoundHits({ text }: { text: string }) {
  const trpc = useTRPC()
  const found = useInfiniteQuery(
    trpc.search.find.infiniteQueryOptions(
      { text, isTyping: true, utcOffset: utcOffset(), limit: 30 },
      { getNextPageParam: ({ next }) => next, placeholderData: keepPreviousData },
    ),
  )
  if (found.isPending) return <SkeletonRows count={6} height={52} label="Searching" />
  if (found.isLoadingError)
    return <ErrorState title="The search failed" message={found.error.message} onRetry={() => void found.refetch()} />
  const { pages } = found.data
  const hits = pages.flatMap((one) => one.hits)
  const [first] = pages
  return (
    <section aria-label="Found" aria-busy={found.isPlaceholderData}>
      {first?.problems.map((problem) => (
        <p key={problem} className={styles.problem}>
          {visibleText(problem)}
        </p>
      ))}
      {first === undefined || first.indexed >= 1 ? null : (
        <p className={styles.problem}>
          Older work is still being indexed ({Math.floor(first.indexed * 100)} %): some of it may be missing here.
        </p>
      )}
      <p role="status" className={page.note}>
        {hits.length === 0
          ? ""
          : `${formatCount(hits.length, "hit")}${found.hasNextPage ? " and more" : ""}, newest first`}
      </p>
      {hits.length === 0 ? (
        <EmptyState>Nothing fits. Try fewer words, a beginning such as pars*, or take a filter out.</EmptyState>
      ) : null}
      {groupHits(hits).map(({ root, hits: own }) => (
        <section key={root.id} aria-label={visibleText(shortTitle(root))} className={styles.group}>
          <h2 className={styles.root}>
            <PageLink href={`/s/${root.id}`}>{visibleText(shortTitle(root))}</PageLink>
            <PrivateLock session={root} />
          </h2>
          <ul>
            {own.map((hit) => (
              <Hit key={hit.part?.id ?? hit.session.id} hit={hit} onOpen={() => rememberSearch(text)} />
            ))}
          </ul>
        </section>
      ))}
      {found.hasNextPage ? (
        <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </section>
  )
}

function Hit({ hit, onOpen }: { hit: SearchHit; onOpen: () => void }) {
  return (
    <li>
      <PageLink href={hitHref(hit)} className={styles.hit} onClick={onOpen}>
        <span className={styles.excerpt}>
          <MarkedText {...hit.excerpt} />
        </span>
        <span className={styles.where}>
          {visibleText(hitLabel(hit))} · <RelativeTime time={hit.at} />
        </span>
      </PageLink>
    </li>
  )
}
