"use client"

import { docketCode } from "@docket/client"
import { useTRPC, useTree, useTreeState } from "@docket/client/react"
import type { Session, TaskSummary, Todo } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { useQuery } from "@tanstack/react-query"
import { ChevronRight } from "lucide-react"
import Link from "next/link"
import { useSearchParams } from "next/navigation"
import { useMemo } from "react"
import { useTreeChanges } from "../../../../../../features/changed-files/use-tree-changes.ts"
import { Markdown } from "../../../../../../features/markdown/markdown.tsx"
import { useReview } from "../../../../../../features/review/use-review.ts"
import deskStyles from "../../../../../../features/review-desk/review-page.module.css"
import { TodoList } from "../../../../../../features/todo/todo-list.tsx"
import { PageHeader } from "../../../../../../shell/page-header.tsx"
import { EmptyState } from "../../../../../../ui/empty-state.tsx"
import { ErrorState } from "../../../../../../ui/error-state.tsx"
import { SkeletonRows } from "../../../../../../ui/skeleton-rows.tsx"
import styles from "./compare.module.css"
import { CompareFacts } from "./compare-facts.tsx"
import { CompareFiles } from "./compare-files.tsx"
import { comparedFiles, namedPair, type Pair } from "./compared.ts"

const noTasks: Record<string, TaskSummary> = {}
const noSessions: Record<string, Session> = {}

/** Two tasks of a tree side by side: their briefs, figures and results. */
export function ComparePage({ rootID }: { rootID: string }) {
  const params = useSearchParams()
  const store = useTree(rootID, rootID)
  const byID = useTreeState(store, (view) => view.tree?.tasks ?? noTasks)
  const sessions = useTreeState(store, (view) => view.tree?.sessions ?? noSessions)
  const loaded = useTreeState(store, (view) => view.tree !== null)
  const error = useTreeState(store, (view) => view.error)
  const tasks = useMemo(() => Object.values(byID).toSorted((a, b) => a.number - b.number), [byID])
  const pair = namedPair(tasks, { task: params.get("task"), with: params.get("with") })
  const root = sessions[rootID]
  const desk = `/review/${rootID}${pair === null ? "" : `?task=${pair[0].id}`}`
  return (
    <div className={styles.page}>
      <PageHeader>
        <nav aria-label="The session that is reviewed" className={deskStyles.crumbs}>
          <Link href={`/s/${rootID}`}>{root === undefined ? "Session" : shortTitle(root)}</Link>
          <ChevronRight size={12} aria-hidden />
          <Link href={desk}>Review</Link>
          <ChevronRight size={12} aria-hidden />
          <h1>Compare</h1>
        </nav>
      </PageHeader>
      <div className={styles.main}>
        {error !== null && !loaded ? (
          <ErrorState
            title={docketCode(error) === "session_not_found" ? "There is no such session" : "This cannot be shown"}
            message={error.message}
          />
        ) : !loaded ? (
          <SkeletonRows count={8} label="Loading the tasks" />
        ) : pair === null ? (
          <EmptyState>There are no two tasks in this session to compare.</EmptyState>
        ) : (
          <Compared rootID={rootID} pair={pair} tasks={tasks} />
        )}
      </div>
    </div>
  )
}

interface ComparedProps {
  rootID: string
  pair: Pair<TaskSummary>
  tasks: readonly TaskSummary[]
}

function Compared({ rootID, pair, tasks }: ComparedProps) {
  const { reviews } = useReview(rootID)
  const { query } = useTreeChanges(rootID)
  const files = useMemo(
    () => (query.data === undefined ? null : comparedFiles(query.data.changes, pair)),
    [query.data, pair],
  )
  return (
    <>
      <CompareFacts
        pair={pair}
        tasks={tasks}
        statuses={[reviews.get(pair[0].id)?.mark ?? "none", reviews.get(pair[1].id)?.mark ?? "none"]}
      />
      <section aria-label="Brief and result" className={styles.texts}>
        {pair.map((task) => (
          <Texts key={task.id} task={task} />
        ))}
      </section>
      <CompareFiles pair={pair} files={files} error={query.error?.message ?? null} />
      <Todos rootID={rootID} pair={pair} />
    </>
  )
}

function Texts({ task }: { task: TaskSummary }) {
  const trpc = useTRPC()
  const record = useQuery(trpc.task.get.queryOptions({ taskID: task.id }))
  if (record.isLoadingError) return <ErrorState title="The brief cannot be shown" message={record.error.message} />
  if (record.data === undefined) return <SkeletonRows count={4} label="Loading the brief" />
  const { prompt, result, error } = record.data
  return (
    <div className={styles.side}>
      <h2>Brief of #{task.number}</h2>
      <div className={styles.text}>
        <Markdown text={prompt} streaming={false} />
      </div>
      <h2>Result of #{task.number}</h2>
      <div className={styles.text}>
        <Markdown text={result ?? error?.message ?? "Not yet."} streaming={false} />
      </div>
    </div>
  )
}

const noLists: Record<string, Todo[]> = {}

function Todos({ rootID, pair }: Omit<ComparedProps, "tasks">) {
  const store = useTree(rootID, rootID)
  const lists = useTreeState(store, (view) => view.tree?.todos ?? noLists)
  if (pair.every(({ sessionID }) => (lists[sessionID] ?? []).length === 0)) return null
  return (
    <section aria-label="Todos" className={styles.texts}>
      {pair.map(({ id, number, sessionID }) => (
        <div key={id} className={styles.side}>
          <h2>Todos of #{number}</h2>
          <TodoList todos={lists[sessionID] ?? []} label={`Todos of task ${number}`} />
        </div>
      ))}
    </section>
  )
}
