"use client"

import { useTRPC } from "@docket/client/react"
import type { Project } from "@docket/core/schema"
import type { SessionListItem } from "@docket/core/store"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useAppActions } from "../../../shell/app-actions.tsx"
import { lastProject } from "../../../shell/last-project.ts"
import { Can, useMe } from "../../../shell/me.tsx"
import { EmptyState } from "../../../ui/empty-state.tsx"
import { ErrorState } from "../../../ui/error-state.tsx"
import { LinkButton } from "../../../ui/link-button.tsx"
import { SkeletonRows } from "../../../ui/skeleton-rows.tsx"
import { inboxLimits } from "./inbox-limits.ts"
import { InboxSection } from "./inbox-section.tsx"
import { inboxSections } from "./inbox-sections.ts"
import { ProposalRow } from "./proposal-row.tsx"
import type { FirstInbox } from "./read-first-inbox.ts"
import { SessionRow } from "./session-row.tsx"
import { OpenFirst, StartFrame } from "./start-frame.tsx"
import { StartGuide } from "./start-guide.tsx"
import { TaskRow } from "./task-row.tsx"
import { ToReview } from "./to-review.tsx"
import { useReviews } from "./use-reviews.ts"
import { useSentInbox } from "./use-sent-inbox.ts"
import { useSuggested } from "./use-suggested.ts"

/**
 * The inbox: what waits for the user, what runs, and what happened last; below it the prompt field for a new session.
 * `first` is the data that was sent with the page.
 */
export function Inbox({ first }: { first: FirstInbox | null }) {
  const trpc = useTRPC()
  useSentInbox(first)
  const list = useQuery(trpc.session.list.queryOptions({ limit: inboxLimits.sessions }))
  const projects = useQuery(trpc.project.list.queryOptions())
  const reviews = useReviews()
  const [chosen, setChosen] = useState<string | null>(null)
  const { suggest, restoring } = useSuggested()
  return (
    <StartFrame
      title="Inbox"
      projects={projects.data}
      chosen={chosen}
      onChoose={setChosen}
      restoring={restoring}
      ask={first?.ask ?? null}
    >
      {list.isLoadingError ? (
        <ErrorState
          title="The inbox cannot be loaded"
          message={list.error.message}
          onRetry={() => void list.refetch()}
        />
      ) : list.data === undefined || projects.isPending || reviews.isPending ? (
        <SkeletonRows count={6} height={52} label="Loading the inbox" />
      ) : (
        <Lists
          items={list.data.items}
          projects={projects.data ?? []}
          reviews={reviews}
          chosen={chosen}
          onTry={suggest}
        />
      )}
    </StartFrame>
  )
}

interface ListsProps {
  items: SessionListItem[]
  projects: Project[]
  reviews: ReturnType<typeof useReviews>
  chosen: string | null
  onTry: (prompt: string) => void
}

function Lists({ items, projects, reviews, chosen, onTry }: ListsProps) {
  const { importSession } = useAppActions()
  const { can } = useMe()
  const project = projects.find(({ id }) => id === chosen) ?? lastProject(projects)
  if (!project) return <OpenFirst />
  if (items.length === 0 && !can("prompt"))
    return <EmptyState>Nothing was done here yet. Sessions show here once somebody begins one.</EmptyState>
  if (items.length === 0) return <StartGuide project={project} first onTry={onTry} />
  const { asking, running, recent } = inboxSections(items)
  const { awaiting, proposed } = reviews
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? ""
  const rowsOf = (list: SessionListItem[]) =>
    list.map((item) => <SessionRow key={item.session.id} item={item} project={nameOf(item.session.projectID)} />)
  return (
    <>
      <InboxSection
        title={can("answer") ? "Needs you" : "Waits for an answer"}
        count={asking.length + awaiting.length + proposed.length}
        empty={can("answer") ? "Nothing waits for you." : "Nothing waits."}
      >
        {rowsOf(asking)}
        {awaiting.map((item) => (
          <TaskRow key={item.task.id} item={item} />
        ))}
        {proposed.map((item) => (
          <ProposalRow key={item.todo.id} item={item} />
        ))}
      </InboxSection>
      <InboxSection title="Running" count={running.length}>
        {rowsOf(running)}
      </InboxSection>
      <Can do="judge">
        <ToReview inbox={reviews.inbox} />
      </Can>
      <InboxSection
        title="Recent"
        count={recent.length}
        actions={
          <Can do="prompt">
            <LinkButton onClick={importSession}>Import a session…</LinkButton>
          </Can>
        }
      >
        {rowsOf(recent)}
      </InboxSection>
    </>
  )
}
