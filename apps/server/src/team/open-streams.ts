import type { IncomingMessage, ServerResponse } from "node:http"
import type { Auth } from "@docket/api"
import type { Role } from "@docket/core/schema"

/** How often open connections are checked for changed identities (ms). */
export const lookEveryMs = 2_000

interface OpenStream {
  req: IncomingMessage
  /** When a request without an answer so far was first found to have lost its identity (ms of the process's clock). */
  lostAt: number | null
  /** The reader's workspace and role; null while they are not known. */
  workspace: string | null
  role: Role | null
}

export interface OpenStreams {
  /**
   * Ends the connection within 5 s after its sign-in or membership ended. An event feed also ends when the role
   * changes: its reader connects again and reads its new rights.
   */
  add(req: IncomingMessage, res: ServerResponse): void
  /**
   * Someone's rights have changed: all connections are checked now, so that even a change that is soon undone is
   * noticed.
   */
  look(): void
  close(): void
}

/** Connections that may stay open longer than the user's rights last. */
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
    // A request that ends its own sign-in still gets its answer: it has until the next check.
    stream.lostAt ??= performance.now()
    if (res.headersSent || performance.now() - stream.lostAt >= lookEveryMs) res.destroy()
  }
  const checkAll = () => {
    for (const [res, stream] of open)
      check(res, stream).catch((error: unknown) => {
        // If the database does not answer, the connection is closed.
        log("who holds a stream open cannot be told", error)
        res.destroy()
      })
  }
  const timer = setInterval(checkAll, lookEveryMs)
  timer.unref()
  return {
    add(req, res) {
      // The client may have disconnected while its identity was looked up.
      if (res.destroyed) return
      const stream: OpenStream = { req, lostAt: null, workspace: null, role: null }
      open.set(res, stream)
      res.once("close", () => open.delete(res))
      // The identity at the start counts, so that a change before the first check ends the stream too.
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
