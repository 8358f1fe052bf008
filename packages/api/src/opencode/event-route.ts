import type { FeedItem } from "@docket/core/schema"
import type * as Sdk from "@opencode-ai/sdk/v2/types"
import { alreadySent } from "../http/answer.ts"
import { requires } from "../http/guarded-routes.ts"
import { serveEvents } from "../http/sse.ts"
import { untilLost } from "../http/until-lost.ts"
import { type EventPlace, eventShape } from "./event-shape.ts"
import {
  callOf,
  namedProjectID,
  type OpencodeApp,
  type OpencodeCall,
  type OpencodeContext,
  type OpencodeDeps,
  takeStream,
} from "./opencode-app.ts"
import { placeOf } from "./session-routes.ts"
import { sessionShape } from "./session-shape.ts"

/** OpenCode's server says that often that it is there (ms). */
const heartbeatMs = 10_000

/** Sessions that one reader's stream remembers. */
const mostKnown = 1_000

/**
 * `/event` and `/global/event`: what happens in the sessions of a project, or of all projects. Nothing is sent again after a
 * reconnect.
 */
export function addEventRoutes(app: OpencodeApp, deps: OpencodeDeps): void {
  app.get("/event", requires("read"), (c) => sendEvents(c, deps, ({ event }) => event))
  // Clients show what is of their directory: a task that works in a worktree of its own belongs to its project, too.
  app.get("/global/event", requires("read"), (c) =>
    sendEvents(c, deps, ({ event, project }) => ({ directory: project ?? "global", payload: event })),
  )
}

interface Sent {
  event: { id: string; type: string; properties: object }
  /** The directory of its project; null for an event of the connection itself. */
  project: string | null
}

/** @param write what is sent of an event */
async function sendEvents(c: OpencodeContext, deps: OpencodeDeps, write: (sent: Sent) => object): Promise<Response> {
  const call = callOf(c, deps)
  const projectID = await namedProjectID(call)
  const res = c.env.outgoing
  takeStream(c)
  let sent = 0
  const line = (type: string, properties: object, project: string | null = null) => {
    sent += 1
    return `data: ${JSON.stringify(write({ event: { id: `evt_${sent}`, type, properties }, project }))}\n\n`
  }
  const heartbeat = { everyMs: heartbeatMs, text: () => line("server.heartbeat", {}) }
  // Not awaited: a stream does not count as a request in progress.
  serveEvents(
    res,
    async (stream, closed) => {
      const end = untilLost(c.var.isStillAllowed, closed)
      const sessions = createKnownSessions(call, deps, projectID)
      const feed = call.agents.feed({ others: false, whole: true }, end)
      await stream.sendBytes(line("server.connected", {}))
      for await (const item of feed) {
        const place = await sessions.placeOf(item)
        if (place === null || item.type === "resync") continue
        for (const { type, properties } of eventShape(item, place))
          await stream.sendBytes(line(type, properties, place.project))
      }
      // A client takes an orderly end for the last one, and does not come again.
      if (!closed.aborted) res.destroy()
    },
    heartbeat,
  ).catch(() => res.destroy())
  return alreadySent()
}

/** The sessions that a reader of events has heard of, with what the shapes of their events need. */
function createKnownSessions(call: OpencodeCall, { version, clock }: OpencodeDeps, projectID: string | undefined) {
  const known = new Map<string, { info: Sdk.Session; place: EventPlace }>()
  const look = async (sessionID: string) => {
    const found = known.get(sessionID)
    if (found !== undefined) return found
    const session = await call.agents.session.get({ sessionID }).catch(() => null)
    if (session === null) return null
    const place = { ...(await placeOf(call, session)), version, clock, known: (id: string) => known.get(id)?.info }
    const made = { info: sessionShape(session, version), place }
    const [oldest] = known.keys()
    if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest)
    known.set(sessionID, made)
    return made
  }
  return {
    /** Null for an event that is not of the reader's projects. */
    async placeOf(item: FeedItem): Promise<EventPlace | null> {
      const sessionID = sessionOf(item)
      const found = sessionID === null ? null : await look(sessionID)
      if (found === null || (projectID !== undefined && found.info.projectID !== projectID)) return null
      if (item.type === "session.created" || item.type === "session.updated")
        found.info = sessionShape(item.properties.info, version)
      if (item.type === "session.deleted") known.delete(found.info.id)
      return item.type === "session.deleted" ? { ...found.place, known: () => found.info } : found.place
    },
  }
}

/** The session that an event is about, else the root of its tree. */
function sessionOf(item: FeedItem): string | null {
  if (item.type === "resync") return null
  const { properties, rootID } = item
  if ("info" in properties) return "sessionID" in properties.info ? properties.info.sessionID : properties.info.id
  if ("part" in properties) return properties.part.sessionID
  if ("request" in properties) return properties.request.sessionID
  return "sessionID" in properties && typeof properties.sessionID === "string" ? properties.sessionID : rootID
}
