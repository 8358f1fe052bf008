import { createHash } from "node:crypto"
import { createDocketClient, createTreeStore } from "@docket/client"
import { nodeHeader } from "./balancer.ts"
import type { Fold, Seen } from "./history.ts"
import { until } from "./until.ts"

/** Somebody who watches a tree, and notes what they are told. */
export interface Reader {
  seen: Seen[]
  /** How often the connection was made. */
  connections(): number
  /** Compares what this one holds with what a new reader gets. The tree has to be at rest. */
  fold(): Promise<Fold>
  close(): void
}

interface Watched {
  url: string
  token: string
  root: string
  name: string
}

const pageSize = 500

export async function openReader({ url, token, root, name }: Watched): Promise<Reader> {
  const seen: Seen[] = []
  let node = ""
  let connections = 0
  const noting: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
      node = answer.headers.get(nodeHeader) ?? ""
      connections++
    }
    return answer
  }
  const client = createDocketClient({ url, token, fetch: noting })
  const store = createTreeStore(client, {
    sessionID: root,
    pageSize,
    onItem({ type, seq, rootID, ...item }) {
      if (seq === null || rootID !== root) return
      const hash = createHash("sha256").update(JSON.stringify(item)).digest("base64url").slice(0, 16)
      seen.push({ reader: name, node, root, seq, type, hash, at: Date.now() })
    },
  })
  await store.open(root)
  const since = store.get().tree?.seq ?? 0
  return {
    seen,
    connections: () => connections,
    async fold() {
      const fresh = createTreeStore(client, { sessionID: root, pageSize })
      await fresh.open(root)
      while (await fresh.loadBefore(root));
      const seq = fresh.get().tree?.seq ?? 0
      await until(`${name} is told of ${seq} in ${root}`, () => (store.get().tree?.seq ?? 0) >= seq)
      await until(`${name} has fetched what it missed`, () => store.get().tree?.staleParts.length === 0)
      const [folded, snapshot] = [store.get().tree, fresh.get().tree]
      fresh.close()
      return { reader: name, root, since, folded: contentOf(folded), snapshot: contentOf(snapshot) }
    },
    close: store.close,
  }
}

type Tree = ReturnType<ReturnType<typeof createTreeStore>["get"]>["tree"]

/** What a tree holds, without what only says how it was loaded. */
function contentOf(tree: Tree): unknown {
  if (tree === null) return null
  const { sessions, transcripts, todos, permissions, turns, tasks } = tree
  const messages = Object.values(transcripts).flatMap((window) => window.messages)
  return JSON.parse(JSON.stringify({ sessions, messages, todos, permissions, turns, tasks }))
}
