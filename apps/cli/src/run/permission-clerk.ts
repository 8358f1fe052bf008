import type { FeedItem, PermissionRequest, Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import type { AskPermission, PermissionAnswer } from "./ask-permission.ts"
import { type Asker, permissionLine, permissionText } from "./permission-text.ts"

export interface PermissionClerk {
  handle(item: FeedItem): void
  /** Takes up a request that was pending before the events began. */
  add(request: PermissionRequest): void
  /** How many requests were refused because nobody could be asked. */
  refused(): number
}

export interface ClerkDeps {
  /** Null when there is no terminal: every request is then refused, and said so. */
  ask: AskPermission | null
  reply(requestID: string, answer: PermissionAnswer): Promise<unknown>
  note(text: string): void
  /** Those of the tree that are there already. */
  sessions: Session[]
  /** Ends open questions when the run ends. */
  signal: AbortSignal
}

const nobody = "Nobody can be asked: docket run has no terminal. Go on without this, or say what you would need."

/** Answers the permission requests of a tree, one at a time. A request that is answered elsewhere is dropped. */
export function createPermissionClerk({ ask, reply, note, sessions, signal }: ClerkDeps): PermissionClerk {
  const known = new Map(sessions.map((session) => [session.id, session]))
  const open = new Map<string, AbortController>()
  let queue = Promise.resolve()
  let refused = 0

  async function answer(request: PermissionRequest, answered: AbortSignal): Promise<void> {
    if (answered.aborted) return
    if (ask === null) {
      refused += 1
      note(`✗ refused, as nobody can be asked: ${permissionLine(request, askerOf(known, request))}`)
      await reply(request.id, { reply: "reject", message: nobody })
      return
    }
    const given = await ask(permissionText(request, askerOf(known, request)), AbortSignal.any([answered, signal]))
    await reply(request.id, given)
  }

  function add(request: PermissionRequest): void {
    if (open.has(request.id)) return
    const answered = new AbortController()
    open.set(request.id, answered)
    queue = queue
      .then(() => answer(request, answered.signal))
      .catch((error: unknown) => {
        if (!answered.signal.aborted && !signal.aborted) note(`the answer was not taken: ${String(error)}`)
      })
  }

  return {
    add,
    handle(item) {
      if (item.type === "session.created" || item.type === "session.updated") {
        known.set(item.properties.info.id, item.properties.info)
      }
      if (item.type === "permission.asked") add(item.properties.request)
      if (item.type === "permission.replied") open.get(item.properties.request.id)?.abort()
    },
    refused: () => refused,
  }
}

function askerOf(sessions: Map<string, Session>, { sessionID }: PermissionRequest): Asker {
  const path: string[] = []
  const asking = sessions.get(sessionID)
  let session = asking
  while (session?.parentID) {
    path.unshift(shortTitle(session))
    session = sessions.get(session.parentID)
  }
  return { agent: asking?.agent ?? "The agent", path }
}
