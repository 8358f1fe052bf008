import type { IncomingMessage, ServerResponse } from "node:http"
import type { Auth } from "@docket/api"

/** How often is asked whether those who hold a connection open are still who they were (ms). */
const everyMs = 2_000

export interface OpenStreams {
  /** Ends the connection within 5 s of its sign-in's or membership's end. */
  add(req: IncomingMessage, res: ServerResponse): void
  close(): void
}

/** Connections that stay open longer than it takes to lose one's rights. */
export function createOpenStreams(
  auth: Pick<Auth, "identify">,
  log: (text: string, error: unknown) => void,
): OpenStreams {
  /** With the workspace that each is about; null until it was asked first. */
  const open = new Map<ServerResponse, { req: IncomingMessage; workspace: string | null }>()
  const check = async (res: ServerResponse, stream: { req: IncomingMessage; workspace: string | null }) => {
    const identity = await auth.identify(stream.req)
    const workspace = identity?.caller.workspace ?? null
    if (workspace === null || workspace !== (stream.workspace ?? workspace)) res.destroy()
    stream.workspace = workspace
  }
  const checkAll = () => {
    for (const [res, stream] of open)
      check(res, stream).catch((error: unknown) => {
        // Nobody stays because the database does not answer.
        log("who holds a stream open cannot be told", error)
        res.destroy()
      })
  }
  const timer = setInterval(checkAll, everyMs)
  timer.unref()
  return {
    add(req, res) {
      open.set(res, { req, workspace: null })
      res.once("close", () => open.delete(res))
    },
    close: () => clearInterval(timer),
  }
}
