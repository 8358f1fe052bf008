import type { AgentUseCases, Tenant } from "@docket/core"
import type { Asker } from "@docket/core/operations"
import type { PermissionRequest, Project, Session, Task } from "@docket/core/schema"
import type { Recorder } from "../audit/audit.ts"
import type { Identity } from "../auth/identity.ts"
import { absolute, chosenProject } from "../named-project.ts"
import type { ClientSession } from "./client-session.ts"

/** What a tool gets to know about its call. */
export interface McpCall {
  identity: Identity
  /** Whether the token still opens the same. */
  isStillAllowed(): Promise<boolean>
  agents: AgentUseCases
  tenant: Pick<Tenant, "as">
  recorder: Recorder | null
  asker: Asker
  /** Scheme, host and port for links. */
  origin: string
  client: ClientSession
  clock(): number
  signal: AbortSignal
  /** Tells the client how far its call is. */
  progress(words: string): Promise<void>
  /** Asks the client's user, once for each request. False where they cannot be asked: the request waits on the desk. */
  ask(request: PermissionRequest): Promise<boolean>
}

/** The answer of a tool: words for the model, and the same as data. */
export interface McpAnswer {
  text: string
  data: Record<string, unknown>
}

/** The project of a directory; without one, the project that was opened last. @throws project_not_found */
export function projectOf({ agents }: Pick<McpCall, "agents">, directory: string | undefined): Promise<Project> {
  return chosenProject(agents, directory === undefined ? null : absolute(directory))
}

/**
 * The root session of a client's session in a project. A repeated request finds the same one by its row, whichever node
 * made it.
 */
export async function rootFor({ tenant, identity, client, asker }: McpCall, project: Project): Promise<Session> {
  const keyed = tenant.as(identity.caller, `mcp ${client.id} ${client.name}`).agents
  if (keyed === null) throw new Error("a tenant without agents was let in")
  return keyed.session.create({ projectID: project.id, title: `Work for ${client.name}` }, asker)
}

/** The page of the review desk that shows the task. Whoever opens it has to sign in: nothing is shared by the link. */
export function deskLink({ origin }: Pick<McpCall, "origin">, { rootID, id }: Pick<Task, "rootID" | "id">): string {
  return `${origin}/review/${rootID}?task=${id}`
}
