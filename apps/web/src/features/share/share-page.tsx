import { notFound } from "next/navigation"
import { todoProgress } from "../todo/checklist-item.ts"
import { TodoList } from "../todo/todo-list.tsx"
import { linkedPart, showsPart } from "../transcript/rows/row.ts"
import { toRows } from "../transcript/rows/to-rows.ts"
import { keptMessages } from "../tree/kept-messages.ts"
import { fitRows, type Stretch } from "./fit-rows.ts"
import { LiveShare } from "./live-share.tsx"
import { countReaders, readSharedMessages, readSharedPart, readSharedTree } from "./read-share.ts"
import { refreshPause } from "./refresh-pause.ts"
import styles from "./share.module.css"
import { embedAddress, partAddress, sessionAddress } from "./share-address.ts"
import { ShareBrief } from "./share-brief.tsx"
import { ShareHead } from "./share-head.tsx"
import type { SharePlace } from "./share-place.ts"
import { ShareTree } from "./share-tree.tsx"
import { earlierLink, laterLink, type ShareSearch, shareAnchor, shareWindow } from "./share-window.ts"
import { SharedRow } from "./shared-row.tsx"
import { UncountedVisit } from "./uncounted-visit.tsx"

/** Messages asked for at once; few of them make a stretch. */
const pageMessages = 40
/** A whole page, with what stands above the rows, stays below 1,000 elements. */
const stretch: Stretch = { rows: 60, elements: 800 }

/** In a frame there is less room, and somebody else's page to be quick for. */
const compactStretch: Stretch = { rows: 30, elements: 400 }

export interface SharePageProps extends SharePlace {
  search: ShareSearch
  /** For a frame in another page: what leads on opens beside that. */
  compact?: boolean
}

/** A session of a shared tree as a document: read-only, without login, following the work while it runs. */
export async function SharePage({ secret, child, part, search: given, compact = false }: SharePageProps) {
  const shared = await readSharedTree(secret)
  if (shared === null) notFound()
  const linked = part === undefined ? null : await readSharedPart(secret, part)
  if (part !== undefined && linked === null) notFound()
  const wanted = linked?.sessionID ?? child ?? shared.share.rootID
  const session = shared.tree.sessions.find(({ id }) => id === wanted)
  if (session === undefined) notFound()
  const search = part === undefined ? given : { up: given.up, down: given.down, part }
  const shown = shareWindow(search)
  const limit = pageMessages * (1 + 2 * Math.max(shown.up, shown.down))
  const of = { sessionID: session.id, limit }
  const found =
    (await readSharedMessages(secret, { ...of, ...shareAnchor(search) })) ?? (await readSharedMessages(secret, of))
  if (found === null) notFound()
  const items = keptMessages(found.items, session.revert)
  const page = { ...found, items, after: items.length < found.items.length ? null : found.after }

  const address = sessionAddress(secret, session)
  const addresses = compact
    ? { session: embedAddress(secret), own: embedAddress(secret) }
    : { session: address, own: part === undefined ? address : partAddress(secret, part) }
  const busy = session.status.type !== "idle"
  const todos = shared.tree.todos[session.id] ?? []
  const { messages, before, after } = fitRows(page, { ...shown, part: search.part }, compact ? compactStretch : stretch)
  const rows = toRows(messages, { atEnd: after === null, busy })
  const ids = rows.flatMap((row) => linkedPart(row) ?? [])
  const earlier = earlierLink(addresses, search, { before, first: ids[0] ?? null })
  const later = laterLink(addresses, search, { after, last: ids.at(-1) ?? null })
  const progress = todoProgress(todos)
  const tasks = Object.fromEntries(shared.tree.tasks.map((task) => [task.id, task]))
  const asOf = Date.now()
  return (
    <LiveShare
      secret={secret}
      seq={shared.tree.seq}
      asOf={asOf}
      frozen={shared.share.mode === "frozen"}
      refreshMs={refreshPause(countReaders(shared.share.id))}
      part={search.part ?? null}
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
      {todos.length === 0 ? null : (
        <details className={styles.todos} open={!compact}>
          <summary>
            Todos: {progress.done} of {progress.total}
          </summary>
          <TodoList todos={todos} />
        </details>
      )}
      {earlier === null ? null : (
        <nav className={styles.pager} aria-label="Earlier messages">
          <a href={earlier.href} data-more={earlier.grow ? "earlier" : undefined}>
            Earlier messages
          </a>
          <a href={addresses.session}>From the beginning</a>
        </nav>
      )}
      <section className={styles.transcript} aria-label="Transcript">
        {rows.map((row) => (
          <SharedRow
            key={row.key}
            row={row}
            tasks={tasks}
            secret={secret}
            linked={search.part !== undefined && showsPart(row, search.part)}
          />
        ))}
        {rows.length === 0 ? <p className={styles.empty}>Nothing was said here yet.</p> : null}
      </section>
      {later === null ? null : (
        <nav className={styles.pager} aria-label="Later messages">
          <a href={later.href} data-more={later.grow ? "later" : undefined}>
            Later messages
          </a>
          <a href={`${addresses.session}?end=1`}>Newest messages</a>
        </nav>
      )}
    </LiveShare>
  )
}
