import { readFile } from "node:fs/promises"
import { createDocketClient } from "@docket/client"
import type { FeedItem } from "@docket/core/schema"
import { type DirectiveInput, toPrompt } from "./fake-provider/directive.ts"
import { createFollowedSessions } from "./follow-sessions.ts"
import type { Server } from "./workplace.ts"

/** What one turn of the fake model does; `id` is only needed to ask the provider for the time it took. */
export type TurnPlan = Partial<DirectiveInput>

/** A client that follows each session it uses, like a browser tab. */
export interface Desk {
  createSession(): Promise<string>
  /** Runs a turn. Returns the milliseconds from the call until the event stream reports that it completed. */
  turn(sessionID: string, plan: TurnPlan): Promise<number>
  /**
   * Stops a new session while one of its commands runs. Returns the milliseconds until the event stream reports it
   * idle.
   */
  stopDuringCommand(): Promise<number>
  /** Runs a turn in a new session; each of its children follows `child`. */
  delegate(plan: TurnPlan, child: TurnPlan): Promise<number>
  /** The same in an existing session. */
  delegateIn(sessionID: string, plan: TurnPlan, child: TurnPlan): Promise<number>
  /** Loads the tree of a session like its page does. Returns the number of its tasks. */
  loadTasks(sessionID: string): Promise<number>
  /** Loads the newest messages of a session, at most `limit`. Returns how many were loaded. */
  loadMessages(sessionID: string, limit: number): Promise<number>
  /** Lists the newest sessions of the project, at most `limit`. Returns how many were listed. */
  listSessions(limit: number): Promise<number>
  /** Creates a public share link for the session. */
  share(sessionID: string): Promise<string>
  /** The time (`performance.now()`) at which this client is notified that a call ended, by part, from now on. */
  endedCalls(sessionID: string): Promise<ReadonlyMap<string, number>>
  close(): void
}

export async function openDesk(server: Server, project: string): Promise<Desk> {
  const token = (await readFile(server.tokenFile, "utf8")).trim()
  const client = createDocketClient({ url: server.url, token })
  const { id: projectID } = await client.project.open.mutate({ directory: project })
  const sessions = createFollowedSessions({ url: server.url, token })

  async function turn(sessionID: string, plan: TurnPlan): Promise<number> {
    const { watch, release } = await sessions.follow(sessionID)
    const text = toPrompt({ id: crypto.randomUUID(), ...plan })
    const start = performance.now()
    const { id } = await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text }] })
    const ended = await watch.completed(id)
    release()
    return ended - start
  }

  const createSession = async () => (await client.session.create.mutate({ projectID })).id

  async function stopDuringCommand(): Promise<number> {
    const sessionID = await createSession()
    const { watch, release } = await sessions.follow(sessionID)
    const running = watch.next(isOutput)
    const idle = watch.next((item) => item.type === "session.status" && item.properties.status.type === "idle")
    const call = { name: "bash", args: { command: "echo begun; sleep 60" } }
    const text = toPrompt({ id: crypto.randomUUID(), steps: 1, call })
    await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text }] })
    await running
    const start = performance.now()
    const stopped = client.session.abort.mutate({ sessionID })
    const ms = (await idle) - start
    await stopped
    release()
    return ms
  }

  const delegateIn = async (sessionID: string, plan: TurnPlan, child: TurnPlan) =>
    await turn(sessionID, { ...plan, childPrompt: toPrompt({ id: "child", ...child }) })

  return {
    createSession,
    turn,
    stopDuringCommand,
    delegate: async (plan, child) => await delegateIn(await createSession(), plan, child),
    delegateIn,
    loadTasks: async (sessionID) => (await client.session.tree.query({ sessionID })).tasks.length,
    loadMessages: async (sessionID, limit) => {
      const page = await client.session.messages.query({ sessionID, limit })
      return page.items.length
    },
    listSessions: async (limit) => (await client.session.list.query({ projectID, limit })).items.length,
    share: async (rootID) => (await client.share.create.mutate({ rootID })).url,
    async endedCalls(sessionID) {
      const ended = new Map<string, number>()
      const { watch } = await sessions.follow(sessionID)
      watch.hear((item) => {
        if (item.type !== "message.part.updated" || item.properties.part.type !== "tool") return
        const { id, state } = item.properties.part
        if (state.status === "completed" && !ended.has(id)) ended.set(id, performance.now())
      })
      return ended
    },
    close: sessions.close,
  }
}

/** Whether a command has written output, so its processes are running. */
function isOutput(item: FeedItem): boolean {
  if (item.type !== "message.part.updated" || item.properties.part.type !== "tool") return false
  const { state } = item.properties.part
  return state.status === "running" && String(state.metadata.output ?? "") !== ""
}
