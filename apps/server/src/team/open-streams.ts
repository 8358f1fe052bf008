import type { IncomingMessage, ServerResponse } from "node:http"
import type { Auth } from "@docket/api"
import type { Role } from "@docket/core/schema"

/** How often is asked whether those who hold a connection open are still who they were (ms). */
export const lookEveryMs = 2_000

interface OpenStream {
  req: IncomingMessage
  /** When an answer that had not begun was first seen to be nobody's any more (ms of the process's clock). */
  lostAt: number | null
  /** What it is about, and what its reader is there; null while that is not known. */
  workspace: string | null
  role: Role | null
}

export interface OpenStreams {
  /**
   * Ends the connection within 5 s of its sign-in's or membership's end. A feed of events ends with another role too: who
   * follows it connects again, and asks again who they are.
   */
  add(req: IncomingMessage, res: ServerResponse): void
  /** Somebody's rights have changed: all are looked at now, so that a change that is soon undone is seen too. */
  look(): void
  close(): void
}

/** Connections that stay open longer than it takes to lose one's rights. */
export function createOpenStreams(
  auth: Pick<Auth, "identify">,
  log: (text: string, error: unknown) => void,
): OpenStreams {
  const open = new Map<ServerResponse, OpenStream>()
  const check = async (res: ServerResponse, stream: OpenStream) => {
    const identity = await auth.identify(stream.req)
    const workspace = identity?.caller.workspace ?? null
    const role = identity?.role ?? null
    const isLost = workspace === null || workspace !== (stream.workspace ?? workspace)
    if (isLost || stream.lostAt !== null) end(res, stream)
    if (isFeed(res) && role !== (stream.role ?? role)) res.destroy()
    Object.assign(stream, { workspace, role })
  }
  const end = (res: ServerResponse, stream: OpenStream) => {
    // Who ends their own sign-in or leaves is still told so: what has not begun to answer is given one more look's time.
    stream.lostAt ??= performance.now()
    if (res.headersSent || performance.now() - stream.lostAt >= lookEveryMs) res.destroy()
  }
  const checkAll = () => {
    for (const [res, stream] of open)
      check(res, stream).catch((error: unknown) => {
        // Nobody stays because the database does not answer.
        log("who holds a stream open cannot be told", error)
        res.destroy()
      })
  }
  const timer = setInterval(checkAll, lookEveryMs)
  timer.unref()
  return {
    add(req, res) {
      // Who hung up while it was found out who they are is told of no more.
      if (res.destroyed) return
      const stream: OpenStream = { req, lostAt: null, workspace: null, role: null }
      open.set(res, stream)
      res.once("close", () => open.delete(res))
      // As what it begins counts: a change before the first look at it must end it too.
      const begun = Promise.resolve(auth.identify(req)).then((identity) => {
        stream.workspace ??= identity?.caller.workspace ?? null
        stream.role ??= identity?.role ?? null
      })
      begun.catch((error: unknown) => log("who opens a stream cannot be told", error))
    },
    look: checkAll,
    close: () => clearInterval(timer),
  }
}

function isFeed(res: ServerResponse): boolean {
  return String(res.getHeader("content-type")).startsWith("text/event-stream")
}
