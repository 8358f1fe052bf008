import type { FeedItem, PermissionRequest } from "@docket/core/schema"
import { type AskPermission, describe, type PermissionAnswer } from "./ask-permission.ts"

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
  /** Ends open questions when the run ends. */
  signal: AbortSignal
}

const nobody = "Nobody can be asked: docket run has no terminal. Go on without this, or say what you would need."

/** Answers the permission requests of a tree, one at a time. A request that is answered elsewhere is dropped. */
export function createPermissionClerk({ ask, reply, note, signal }: ClerkDeps): PermissionClerk {
  const open = new Map<string, AbortController>()
  let queue = Promise.resolve()
  let refused = 0

  async function answer(request: PermissionRequest, answered: AbortSignal): Promise<void> {
    if (answered.aborted) return
    if (ask === null) {
      refused += 1
      note(`✗ refused, as nobody can be asked: ${describe(request)}`)
      await reply(request.id, { reply: "reject", message: nobody })
      return
    }
    const given = await ask(request, AbortSignal.any([answered, signal]))
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
      if (item.type === "permission.asked") add(item.properties.request)
      if (item.type === "permission.replied") open.get(item.properties.request.id)?.abort()
    },
    refused: () => refused,
  }
}
