import type { Todo } from "@docket/core/schema"
import { notFound } from "next/navigation"
import type { ReactNode } from "react"
import { todoProgress } from "../todo/checklist-item.ts"
import { TodoList } from "../todo/todo-list.tsx"
import { showsPart } from "../transcript/rows/row.ts"
import { LiveShare } from "./live-share.tsx"
import { countReaders } from "./read-share.ts"
import { readSharedPage, type SharedPage, type SharePageProps } from "./read-shared-page.ts"
import { refreshPause } from "./refresh-pause.ts"
import styles from "./share.module.css"
import { ShareBrief } from "./share-brief.tsx"
import { ShareHead } from "./share-head.tsx"
import { ShareTree } from "./share-tree.tsx"
import { SharedRow } from "./shared-row.tsx"
import { UncountedVisit } from "./uncounted-visit.tsx"

/** A session of a shared tree as a document: read-only, without login, updated while the work runs. */
export async function SharePage(props: SharePageProps) {
  const page = await readSharedPage(props)
  if (page === null) notFound()
  const { secret, compact = false } = props
  const { shared, session, part, address, earlier, later } = page
  const asOf = Date.now()
  return (
    <LiveShare
      secret={secret}
      seq={shared.tree.seq}
      asOf={asOf}
      frozen={shared.share.mode === "frozen"}
      refreshMs={refreshPause(await countReaders(secret))}
      part={part}
      compact={compact}
    >
      {compact ? <base target="_blank" /> : null}
      <UncountedVisit secret={secret} />
      <ShareHead shared={shared} session={session} secret={secret} asOf={asOf} compact={compact} />
      <ShareTree
        sessions={shared.tree.sessions}
        locked={shared.locked}
        tasks={shared.tree.tasks}
        current={session.id}
        secret={secret}
      />
      <ShareBrief session={session} secret={secret} />
      <ShareTodos todos={shared.tree.todos[session.id] ?? []} compact={compact} />
      {earlier === null ? null : (
        <Pager name="Earlier messages" to="earlier" link={earlier}>
          <a href={address}>From the beginning</a>
        </Pager>
      )}
      <Transcript page={page} secret={secret} />
      {later === null ? null : (
        <Pager name="Later messages" to="later" link={later}>
          <a href={`${address}?end=1`}>Newest messages</a>
        </Pager>
      )}
    </LiveShare>
  )
}

function ShareTodos({ todos, compact }: { todos: Todo[]; compact: boolean }) {
  if (todos.length === 0) return null
  const progress = todoProgress(todos)
  return (
    <details className={styles.todos} open={!compact}>
      <summary>
        Todos: {progress.done} of {progress.total}
      </summary>
      <TodoList todos={todos} />
    </details>
  )
}

function Transcript({ page, secret }: { page: SharedPage; secret: string }) {
  const { shared, rows, part } = page
  const tasks = Object.fromEntries(shared.tree.tasks.map((task) => [task.id, task]))
  return (
    <section className={styles.transcript} aria-label="Transcript">
      {rows.map((row) => (
        <SharedRow
          key={row.key}
          row={row}
          tasks={tasks}
          secret={secret}
          linked={part !== null && showsPart(row, part)}
        />
      ))}
      {rows.length === 0 ? <p className={styles.leftOut}>Nothing was said here yet.</p> : null}
    </section>
  )
}

interface PagerProps {
  name: string
  to: "earlier" | "later"
  link: NonNullable<SharedPage["earlier"]>
  /** The link to the end on that side. */
  children: ReactNode
}

/** Link to more of the transcript. With a script, it adds rows to this page. */
function Pager({ name, to, link, children }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label={name}>
      <a href={link.href} data-more={link.grow ? to : undefined}>
        {name}
      </a>
      {children}
    </nav>
  )
}
