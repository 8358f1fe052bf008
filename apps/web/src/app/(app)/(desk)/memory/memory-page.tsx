"use client"

import { useTRPC } from "@docket/client/react"
import type { Memory, MemoryType } from "@docket/core/schema"
import { Button, SegmentedControl, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Plus, Search } from "lucide-react"
import { useState } from "react"
import { Can, useMe } from "../../../../shell/me.tsx"
import { PageHeader } from "../../../../shell/page-header.tsx"
import { EmptyState } from "../../../../ui/empty-state.tsx"
import { ErrorState } from "../../../../ui/error-state.tsx"
import page from "../../../../ui/page.module.css"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import styles from "./memory.module.css"
import { MemoryForm } from "./memory-form.tsx"
import { MemoryRow } from "./memory-row.tsx"
import { memoryTypes } from "./memory-types.ts"

type Filter = MemoryType | "any"

const filters = [{ value: "any", label: "Any" }, ...memoryTypes]
/** The server's maximum number of entries per request. */
const limit = 200

/** Facts that agents remember between turns: to search, correct, add and remove. */
export function MemoryPage() {
  const trpc = useTRPC()
  const [search, setSearch] = useState("")
  const [q] = useDebouncedValue(search.trim(), 150)
  const [type, setType] = useState<Filter>("any")
  const [showsOutdated, setShowsOutdated] = useState(false)
  const [adding, setAdding] = useState(false)
  const { can } = useMe()
  const found = useQuery(
    trpc.memory.search.queryOptions(
      {
        ...(q ? { q } : {}),
        ...(type === "any" ? {} : { types: [type] }),
        ...(showsOutdated ? { all: true } : {}),
        limit,
      },
      { placeholderData: keepPreviousData },
    ),
  )
  return (
    <div className={page.page}>
      <PageHeader
        actions={
          <Can do="memory.edit">
            <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setAdding(true)}>
              Add
            </Button>
          </Can>
        }
      >
        <h1>Memory</h1>
      </PageHeader>
      <div className={page.main}>
        <div className={page.bar}>
          <TextInput
            className={page.grow ?? ""}
            type="search"
            aria-label="Search memory"
            placeholder="Search"
            leftSection={<Search size={14} aria-hidden />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <Button
            variant={showsOutdated ? "light" : "default"}
            aria-pressed={showsOutdated}
            onClick={() => setShowsOutdated(!showsOutdated)}
          >
            Show outdated entries
          </Button>
        </div>
        <div className={styles.types}>
          <SegmentedControl
            aria-label="Type"
            data={filters}
            value={type}
            // The control returns one of the values above.
            onChange={(value) => setType(value as Filter)}
          />
        </div>
        {adding ? <MemoryForm onClose={() => setAdding(false)} /> : null}
        {found.isPending ? (
          <SkeletonRows count={5} height={52} label="Loading memory" />
        ) : found.isLoadingError ? (
          <ErrorState
            title="Memory cannot be read"
            message={found.error.message}
            onRetry={() => void found.refetch()}
          />
        ) : (
          <Entries
            entries={found.data}
            searched={q !== "" || type !== "any"}
            onAdd={adding || !can("memory.edit") ? null : () => setAdding(true)}
          />
        )}
      </div>
    </div>
  )
}

function Entries({ entries, searched, onAdd }: { entries: Memory[]; searched: boolean; onAdd: (() => void) | null }) {
  if (entries.length === 0 && searched) return <EmptyState>No entry fits.</EmptyState>
  if (entries.length === 0)
    return (
      <EmptyState action={onAdd ? <Button onClick={onAdd}>Add what agents should know</Button> : undefined}>
        Memory is what agents know in every session: they record what they learn, and read what you add. Nothing is kept
        yet.
      </EmptyState>
    )
  return (
    <>
      <ul aria-label="Memory" className={styles.list}>
        {entries.map((memory) => (
          <MemoryRow key={memory.id} memory={memory} />
        ))}
      </ul>
      {entries.length === limit ? <p className={page.note}>The first {limit}. Search to find others.</p> : null}
    </>
  )
}
