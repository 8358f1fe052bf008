import { notFound } from "next/navigation"
import { todoProgress } from "../todo/checklist-item.ts"
import { TodoList } from "../todo/todo-list.tsx"
import { showsPart } from "../transcript/rows/row.ts"
import { toRows } from "../transcript/rows/to-rows.ts"
import { keptMessages } from "../tree/kept-messages.ts"
import { fetchSharedMessages, fetchSharedTree } from "./fetch-share.ts"
import { fitRows } from "./fit-rows.ts"
import { LiveShare } from "./live-share.tsx"
import styles from "./share.module.css"
import { sessionAddress } from "./share-address.ts"
import { ShareBrief } from "./share-brief.tsx"
import { ShareHead } from "./share-head.tsx"
import { ShareTree } from "./share-tree.tsx"
import { SharedRow } from "./shared-row.tsx"

/** Messages asked for, and rows shown, at once: what a phone loads in a second. */
const pageMessages = 40
const pageRows = 60

export interface SharePageProps {
  secret: string
  /** Null for the root of the tree. */
  child: string | null
  search: { part?: string | undefined; before?: string | undefined; after?: string | undefined }
}

/** A session of a shared tree as a document: read-only, without login, following the work while it runs. */
export async function SharePage({ secret, child, search }: SharePageProps) {
  const shared = await fetchSharedTree(secret)
  if (shared === null) notFound()
  const session = shared.tree.sessions.find(({ id }) => id === (child ?? shared.share.rootID))
  if (session === undefined) notFound()
  const anchor = search.part
    ? { around: search.part }
    : { before: search.before ?? session.revert?.messageID, after: search.after }
  const found =
    (await fetchSharedMessages(secret, session.id, { ...anchor, limit: pageMessages })) ??
    (await fetchSharedMessages(secret, session.id, { limit: pageMessages }))
  if (found === null) notFound()
  const page = { ...found, items: keptMessages(found.items, session.revert) }

  const address = sessionAddress(secret, session)
  const busy = session.status.type !== "idle"
  const todos = shared.tree.todos[session.id] ?? []
  const { messages, before, after } = fitRows(page, search, pageRows)
  const rows = toRows(messages, { atEnd: after === null, busy })
  const progress = todoProgress(todos)
  return (
    <LiveShare secret={secret} seq={shared.tree.seq} asOf={Date.now()} part={search.part ?? null}>
      <ShareHead shared={shared} session={session} secret={secret} />
      <ShareTree sessions={shared.tree.sessions} tasks={shared.tree.tasks} current={session.id} secret={secret} />
      <ShareBrief session={session} secret={secret} />
      {todos.length === 0 ? null : (
        <details className={styles.todos} open>
          <summary>
            Todos: {progress.done} of {progress.total}
          </summary>
          <TodoList todos={todos} />
        </details>
      )}
      {before === null ? null : (
        <nav className={styles.pager} aria-label="Earlier messages">
          <a href={`${address}?before=${before}`}>Earlier messages</a>
        </nav>
      )}
      <section className={styles.transcript} aria-label="Transcript">
        {rows.map((row) => (
          <SharedRow
            key={row.key}
            row={row}
            secret={secret}
            address={address}
            linked={search.part !== undefined && showsPart(row, search.part)}
          />
        ))}
        {rows.length === 0 ? <p className={styles.empty}>Nothing was said here yet.</p> : null}
      </section>
      {after === null ? null : (
        <nav className={styles.pager} aria-label="Later messages">
          <a href={`${address}?after=${after}`}>Later messages</a>
          <a href={address}>Newest messages</a>
        </nav>
      )}
    </LiveShare>
  )
}
