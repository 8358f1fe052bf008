"use client"

import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { Download } from "lucide-react"
import { useState } from "react"
import { useMe } from "../../../../../shell/me.tsx"
import { EmptyState } from "../../../../../ui/empty-state.tsx"
import { ErrorState } from "../../../../../ui/error-state.tsx"
import { SkeletonRows } from "../../../../../ui/skeleton-rows.tsx"
import settings from "../settings.module.css"
import { TeamPage } from "../team-page.tsx"
import styles from "./audit.module.css"
import { type AuditFilter, AuditFilters } from "./audit-filters.tsx"
import { AuditRow } from "./audit-row.tsx"

/** Who did what in the workspace. */
export function AuditPage() {
  const me = useMe()
  const [filter, setFilter] = useState<AuditFilter>({})
  const refusal = me.whyNot("audit.read")
  return (
    <TeamPage
      title="Audit"
      intro="Who did what in this workspace: nothing that people wrote, and no secrets. Entries are only added, and kept as long as the configuration says (audit.days)."
      actions={
        refusal === undefined ? (
          <Button component="a" href={exportHref(filter)} download leftSection={<Download size={14} aria-hidden />}>
            Export as JSON lines
          </Button>
        ) : undefined
      }
    >
      {refusal === undefined ? (
        <>
          <AuditFilters filter={filter} hasPeople={me.hasTeam} onChange={setFilter} />
          <Entries filter={filter} />
        </>
      ) : (
        <p className={settings.hint}>{refusal}</p>
      )}
    </TeamPage>
  )
}

function exportHref(filter: AuditFilter): string {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))
  return query.size === 0 ? "/api/audit" : `/api/audit?${query}`
}

function Entries({ filter }: { filter: AuditFilter }) {
  const trpc = useTRPC()
  const acts = useQuery(trpc.audit.acts.queryOptions())
  const [{ text = "", ...chosen }] = useDebouncedValue(filter, 200)
  const found = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(
      { ...chosen, ...(text.trim() && { text: text.trim() }), limit: 50 },
      { getNextPageParam: ({ cursor }) => cursor, placeholderData: keepPreviousData },
    ),
  )
  if (found.isPending) return <SkeletonRows count={6} height={52} label="Loading entries" />
  if (found.isLoadingError)
    return (
      <ErrorState
        title="The audit log cannot be read"
        message={found.error.message}
        onRetry={() => void found.refetch()}
      />
    )
  const entries = found.data.pages.flatMap(({ items }) => items)
  if (entries.length === 0) return <EmptyState>Nothing of that was done.</EmptyState>
  const words = new Map<string, string>(acts.data?.map((each) => [each.act, each.words]))
  return (
    <>
      <ul aria-label="Entries" aria-busy={found.isPlaceholderData}>
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} words={words.get(entry.act) ?? entry.act} />
        ))}
      </ul>
      {found.hasNextPage ? (
        <Button
          className={styles.more ?? ""}
          loading={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
    </>
  )
}
