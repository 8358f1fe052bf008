import type { Share } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { ShareSource } from "./public-row.ts"
import { veiled } from "./veil-part.ts"
import { isVisible, type VisibleTree, visibleTree } from "./visible-tree.ts"

/** Messages read at a time. */
const pageSize = 200

/** Everything that a share shows of its tree, transcripts in their order. */
export async function treeSources(
  store: Pick<Store, "session" | "transcript" | "todo" | "task">,
  { rootID, left }: Pick<Share, "rootID" | "left">,
): Promise<{ tree: VisibleTree; list: ShareSource[] }> {
  const [sessions, todos, tasks] = await Promise.all([
    store.session.tree(rootID),
    store.todo.tree(rootID),
    store.task.tree(rootID),
  ])
  const tree = visibleTree(sessions, left)
  const list: ShareSource[] = []
  for (const value of tree.sessions) {
    list.push({ kind: "session", value })
    const own = todos[value.id]
    if (own !== undefined) list.push({ kind: "todos", sessionID: value.id, value: own })
    let after: string | null = ""
    while (after !== null) {
      const page = await store.transcript.page({ sessionID: value.id, after, limit: pageSize })
      for (const { info, parts } of page.items) {
        list.push({ kind: "message", value: info })
        for (const part of parts) list.push({ kind: "part", value: part })
      }
      after = page.after
    }
  }
  for (const value of tree.locked) list.push({ kind: "locked", value })
  for (const value of tasks) list.push({ kind: "task", value })
  return { tree, list: list.filter((source) => isVisible(tree, source)).map((source) => veiled(source, tree)) }
}
