import type { DocketClient } from "@docket/client"
import type { ModelRef, Session, SessionVisibility } from "@docket/core/schema"
import { openProject } from "../open-project.ts"
import { UsageError } from "../usage-error.ts"
import { trustProject } from "./trust-project.ts"

/** The session that a run is for. */
export interface WantedSession {
  directory: string
  /** A session that is there; `newest` of the project; null for a new one. */
  from: { sessionID: string } | "newest" | null
  /** Works in a copy of that session, with `worktree` on files of its own; null for the session itself. */
  fork: { worktree: boolean } | null
  /** Trusts the current configuration of the project in `directory`. */
  trust: boolean
  agent: string | undefined
  model: ModelRef | undefined
  /** A variant of the model, such as its reasoning effort. */
  variant: string | undefined
  /** Who can see a new session; the default of the workspace when left out. */
  visibility: SessionVisibility | undefined
}

export interface OpenedSession {
  session: Session
  /** Lines about what was trusted. */
  trusted: string[]
  /** It was made for this run. */
  isNew: boolean
}

/** Opens the session to work in. @throws UsageError */
export async function openSession(client: DocketClient, wanted: WantedSession): Promise<OpenedSession> {
  const { from, agent, model, variant, visibility, directory, trust } = wanted
  const named = from === null || from === "newest" ? null : await client.session.get.query(from)
  if (named && !trust) return { ...(await copied(client, named, wanted)), trusted: [] }
  const { id: projectID } = await openProject(client, directory)
  if (named && named.projectID !== projectID) {
    throw new UsageError(
      `--trust is for ${directory}, and this session is of another project; name that with --project`,
    )
  }
  const trusted = trust ? await trustProject(client, projectID) : []
  const known = from === "newest" ? await newestOf(client, { projectID, directory }) : named
  if (known) return { ...(await copied(client, known, wanted)), trusted }
  const session = await client.session.create.mutate({
    projectID,
    ...(agent !== undefined && { agent }),
    ...(model && { model }),
    ...(variant !== undefined && { variant }),
    ...(visibility !== undefined && { visibility }),
  })
  return { session, trusted, isNew: true }
}

async function copied(client: DocketClient, session: Session, { fork }: WantedSession) {
  if (!fork) return { session, isNew: false }
  return { session: await client.session.fork.mutate({ sessionID: session.id, ...fork }), isNew: true }
}

/** The session of the project in which something happened last. */
async function newestOf(client: DocketClient, project: { projectID: string; directory: string }): Promise<Session> {
  const { projectID, directory } = project
  const { items } = await client.session.list.query({ projectID, archived: false, limit: 1 })
  const [newest] = items
  if (newest === undefined) throw new UsageError(`${directory} has no session yet: leave out --continue to begin one`)
  return newest.session
}
