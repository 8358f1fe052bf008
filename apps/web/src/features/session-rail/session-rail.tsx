"use client"

import { useTRPC, useTree, useTreeState } from "@docket/client/react"
import { Button, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { Archive, Command, Plus, Search } from "lucide-react"
import { useParams, usePathname, useRouter } from "next/navigation"
import { lazy, useEffect, useMemo, useRef, useState } from "react"
import { useAppActions } from "../../shell/app-actions.tsx"
import { useAwaitedTrees } from "../../shell/awaited-trees.ts"
import { Can, useMe } from "../../shell/me.tsx"
import { PageLink } from "../../shell/page-link.tsx"
import { currentOf, inbox, places } from "../../shell/places.ts"
import { EmptyState } from "../../ui/empty-state.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { PartPlace } from "../../ui/part-place.tsx"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import { useKeys } from "../keyboard/use-keys.ts"
import { searchHref } from "../search/search-href.ts"
import { useSessionStatuses } from "../tree/use-session-statuses.ts"
import { AccountRow } from "./account-row.tsx"
import { type RailInput, railNodes } from "./rail-nodes.ts"
import styles from "./session-rail.module.css"
import { SessionTree } from "./session-tree.tsx"
import { useSessionList } from "./use-session-list.ts"
import { WorkspaceRow } from "./workspace-row.tsx"

const shownPlaces = places.filter(({ isTucked }) => isTucked !== true)

/** Loaded with the first search. */
const SearchResults = lazy(() =>
  loadPart(() => import("../search/search-results.tsx").then((it) => ({ default: it.SearchResults }))),
)

type OpenTree = Pick<RailInput, "tree" | "statuses">
const noTree: OpenTree = { tree: [], statuses: new Map() }

/** All sessions by project, with their running work and pending requests. `onNavigate` closes the drawer on a phone. */
export function SessionRail({ onNavigate = () => {} }: { onNavigate?: () => void }) {
  const params = useParams<{ root?: string; child?: string }>()
  const actions = useAppActions()
  const pathname = usePathname()
  const router = useRouter()
  const [search, setSearch] = useState("")
  const [searchedText] = useDebouncedValue(search.trim(), 150)
  const [archived, setArchived] = useState(false)
  const [openTree, setOpenTree] = useState<OpenTree>(noTree)
  const field = useRef<HTMLInputElement>(null)
  useKeys({
    "/": (event) => {
      // On the pages of a tree, `/` finds rows of that tree instead.
      if (params.root || !field.current?.checkVisibility()) return
      event.preventDefault()
      field.current.focus()
    },
  })
  return (
    <div className={styles.rail}>
      {params.root ? (
        <FollowTree
          key={params.root}
          rootID={params.root}
          sessionID={params.child ?? params.root}
          onChange={setOpenTree}
        />
      ) : null}
      <div className={styles.head}>
        <PageLink href={inbox.href} className={styles.brand} onClick={onNavigate}>
          Docket
        </PageLink>
        <IconButton
          label={archived ? "Show current sessions" : "Show archived sessions"}
          aria-pressed={archived}
          variant={archived ? "light" : "subtle"}
          onClick={() => setArchived(!archived)}
        >
          <Archive size={15} />
        </IconButton>
        <IconButton label="Command palette" onClick={actions.openPalette}>
          <Command size={15} />
        </IconButton>
        <Can do="prompt">
          <IconButton label="New session" onClick={actions.newSession}>
            <Plus size={16} />
          </IconButton>
        </Can>
      </div>
      <WorkspaceRow onNavigate={onNavigate} />
      <div className={styles.search}>
        <TextInput
          ref={field}
          type="search"
          data-session-search
          aria-label="Search sessions"
          placeholder={archived ? "Search archive" : "Search"}
          leftSection={<Search size={14} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") setSearch("")
            const isSubmitted = event.key === "Enter" && !event.nativeEvent.isComposing
            // The search page does not search the archive.
            if (!isSubmitted || search.trim() === "" || archived) return
            router.push(searchHref(search.trim()))
            onNavigate()
          }}
        />
      </div>
      <nav className={styles.scroll} aria-label="Sessions">
        <RailList
          search={searchedText}
          archived={archived}
          openTree={params.root ? openTree : noTree}
          current={params.child ?? params.root ?? null}
          onNavigate={onNavigate}
        />
        {searchedText === "" || archived ? null : (
          <PartPlace loading={<SkeletonRows count={3} label="Searching" />}>
            <SearchResults text={searchedText} onNavigate={onNavigate} />
          </PartPlace>
        )}
      </nav>
      <AccountRow onNavigate={onNavigate} />
      <nav className={styles.foot} aria-label="Pages">
        {shownPlaces.map((place) => (
          <PageLink key={place.href} href={place.href} aria-current={currentOf(place, pathname)} onClick={onNavigate}>
            <place.icon size={16} aria-hidden />
            {place.label}
          </PageLink>
        ))}
      </nav>
    </div>
  )
}

function RailList(props: {
  search: string
  archived: boolean
  openTree: OpenTree
  current: string | null
  onNavigate: () => void
}) {
  const trpc = useTRPC()
  const list = useSessionList(props)
  const { person, can } = useMe()
  const projects = useQuery(trpc.project.list.queryOptions())
  const end = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  useEffect(() => {
    const node = end.current
    if (!node || !hasNextPage || isFetchingNextPage) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) void fetchNextPage()
    })
    observer.observe(node)
    return () => observer.disconnect()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  const awaited = useAwaitedTrees()
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const nodes = useMemo(
    () => railNodes({ projects: projects.data ?? [], items, person, awaited, ...props.openTree }),
    [projects.data, items, person, awaited, props.openTree],
  )
  if (list.isPending) return <SkeletonRows count={8} label="Loading sessions" />
  if (list.isError && items.length === 0)
    return <ErrorState title="No sessions" message={list.error.message} onRetry={() => void list.refetch()} />
  if (items.length === 0) return <EmptyState>{emptyText(props.search, props.archived, can("prompt"))}</EmptyState>
  return (
    <>
      <SessionTree nodes={nodes} current={props.current} onNavigate={props.onNavigate} />
      <div ref={end} className={styles.more}>
        {hasNextPage ? (
          <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older sessions
          </Button>
        ) : null}
      </div>
    </>
  )
}

function emptyText(search: string, archived: boolean, mayBegin: boolean): string {
  if (search) return `No ${archived ? "archived " : ""}session is called “${search}”.`
  return archived
    ? "Nothing is archived. A session that you archive leaves the list and is kept here."
    : `Sessions are listed here, by project. ${mayBegin ? "The + above begins one." : "Members begin them."}`
}

interface FollowTreeProps {
  /** The root of the session. The page passes the same root to `useTree`, so that both share one connection. */
  rootID: string
  sessionID: string
  onChange: (tree: OpenTree) => void
}

/** Passes the sessions of the open tree to the rail, live. */
function FollowTree({ rootID, sessionID, onChange }: FollowTreeProps) {
  const store = useTree(sessionID, rootID)
  const sessions = useTreeState(store, (view) => view.tree?.sessions)
  const statuses = useSessionStatuses(store)
  useEffect(() => onChange({ tree: Object.values(sessions ?? {}), statuses }), [sessions, statuses, onChange])
  return null
}
