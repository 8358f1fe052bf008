"use client"

import { useTRPC } from "@docket/client/react"
import type { Session, Todo } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { Button, SegmentedControl } from "@mantine/core"
import { useQueries, useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { useRouter } from "next/navigation"
import { useMemo, useState } from "react"
import { TodoAdd } from "../../../../features/todo/todo-add.tsx"
import board from "../../../../features/todo/todo-board.module.css"
import { openBlockers } from "../../../../features/todo/todo-edits.ts"
import { TodoEvidence } from "../../../../features/todo/todo-evidence.tsx"
import { TodoItem } from "../../../../features/todo/todo-item.tsx"
import { useTodoEdits } from "../../../../features/todo/use-todo-edits.ts"
import { Can } from "../../../../shell/me.tsx"
import { PageHeader } from "../../../../shell/page-header.tsx"
import { EmptyState } from "../../../../ui/empty-state.tsx"
import { ErrorState } from "../../../../ui/error-state.tsx"
import page from "../../../../ui/page.module.css"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import styles from "./todos.module.css"

type Filter = "open" | "done" | "all"

const filters = [
  { value: "open", label: "Open" },
  { value: "done", label: "Done" },
  { value: "all", label: "All" },
]

/** Maximum number of todos to load; more than a user would scroll through. */
const limit = 1_000
/** Number of todos that are shown at first. */
const pageSize = 100

const noTodos: Todo[] = []

/** All todos: those without a session, and those of each session. */
export function TodosPage() {
  const trpc = useTRPC()
  const found = useQuery(trpc.todo.find.queryOptions({ scope: { kind: "all" }, limit }))
  const { todos, actions } = useTodoEdits(found.data ?? noTodos, null)
  const [filter, setFilter] = useState<Filter>("open")
  return (
    <div className={page.page}>
      <PageHeader>
        <h1>Todos</h1>
      </PageHeader>
      <div className={page.main}>
        <div className={page.bar}>
          <SegmentedControl
            aria-label="Show"
            data={filters}
            value={filter}
            // The control returns one of the values above.
            onChange={(value) => setFilter(value as Filter)}
          />
          <div className={page.grow}>
            <Can do="todo.edit">
              <TodoAdd label="New todo of no session" onAdd={actions.add} />
            </Can>
          </div>
        </div>
        {found.isPending ? (
          <SkeletonRows count={6} height={36} label="Loading todos" />
        ) : found.isLoadingError ? (
          <ErrorState
            title="Todos cannot be listed"
            message={found.error.message}
            onRetry={() => void found.refetch()}
          />
        ) : (
          <Items todos={todos} filter={filter} actions={actions} />
        )}
        <p className={page.note}>
          Agents read items without a session in all sessions. They are told of changes at their next step.
        </p>
      </div>
    </div>
  )
}

function isOpen({ status }: Todo): boolean {
  return status === "pending" || status === "in_progress"
}

const emptyText: Record<Filter, string> = {
  open: "Nothing is open.",
  done: "Nothing is done yet.",
  all: "There are no todos yet.",
}

interface ItemsProps {
  todos: Todo[]
  filter: Filter
  actions: ReturnType<typeof useTodoEdits>["actions"]
}

function Items({ todos, filter, actions }: ItemsProps) {
  const [shown, setShown] = useState(pageSize)
  const matching = useMemo(
    () => todos.filter((todo) => filter === "all" || isOpen(todo) === (filter === "open")),
    [todos, filter],
  )
  const drawn = matching.slice(0, shown)
  const sessions = useSessionsOf(drawn)
  if (todos.length === 0)
    return (
      <EmptyState
        action={
          <Button onClick={() => document.querySelector<HTMLElement>("[data-todo-add]")?.focus()}>
            Add the first todo
          </Button>
        }
      >
        Todos are what you and your agents mean to do: agents read them, tick them and add their own.
      </EmptyState>
    )
  if (matching.length === 0) return <EmptyState>{emptyText[filter]}</EmptyState>
  return (
    <>
      {lists(drawn).map(([sessionID, list]) => (
        <section key={sessionID} className={styles.group}>
          <h2 className={styles.head}>
            {sessionID === noSession ? "No session" : <SessionLink session={sessions.get(sessionID)} />}{" "}
            <span className="tabular">{list.length}</span>
          </h2>
          <ul aria-label="Todos">
            {list.map((todo) => (
              <li key={todo.id} className={styles.item}>
                <TodoItem
                  todo={todo}
                  actions={actions}
                  blockers={openBlockers(todo, todos)}
                  place={null}
                  details={(opened) => <Evidence todo={opened} session={sessions.get(sessionID)} />}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {shown < matching.length ? (
        <Button className={board.history ?? ""} onClick={() => setShown(shown + pageSize)}>
          Show {Math.min(pageSize, matching.length - shown)} more of {matching.length.toLocaleString("en")}
        </Button>
      ) : null}
    </>
  )
}

const noSession = ""

/** Groups by session: todos without one first, then in the server's order, which puts lists in progress first. */
function lists(todos: readonly Todo[]): [sessionID: string, list: Todo[]][] {
  const groups = Map.groupBy(todos, ({ sessionID }) => sessionID ?? noSession)
  return [...groups].sort(([a], [b]) => Number(b === noSession) - Number(a === noSession))
}

function Evidence({ todo, session }: { todo: Todo; session: Session | undefined }) {
  const router = useRouter()
  const { sessionID } = todo
  if (sessionID === null) return null
  const page = session ? hrefOf(session) : `/s/${sessionID}`
  return <TodoEvidence todo={todo} onOpenPart={(_, part) => router.push(`${page}?part=${part}`)} />
}

function SessionLink({ session }: { session: Session | undefined }) {
  if (session === undefined) return <span className="visually-hidden">A session</span>
  return <Link href={hrefOf(session)}>{shortTitle(session)}</Link>
}

/** The sessions of the given todos by id, including child sessions. The requests are sent together. */
function useSessionsOf(todos: readonly Todo[]): Map<string, Session> {
  const trpc = useTRPC()
  const ids = [...new Set(todos.flatMap(({ sessionID }) => sessionID ?? []))]
  return useQueries({
    queries: ids.map((sessionID) => trpc.session.get.queryOptions({ sessionID }, { staleTime: titleMs })),
    combine: bySession,
  })
}

/** Session titles may be cached for this long (ms). */
const titleMs = 60_000

function bySession(results: readonly { data: Session | undefined }[]): Map<string, Session> {
  return new Map(results.flatMap(({ data }) => (data ? [[data.id, data]] : [])))
}

function hrefOf({ id, rootID }: Session): string {
  return id === rootID ? `/s/${id}` : `/s/${rootID}/c/${id}`
}
