import type { NodeService, UseCases } from "@docket/core"
import type { Audit, Recorder } from "./audit/audit.ts"
import type { Identity } from "./auth/identity.ts"
import type { TeamService } from "./team/team-service.ts"

/** What every procedure gets. There is a context only for a request whose token or cookie was checked. */
export interface ApiContext {
  identity: Identity
  /** Identifies the sender again; null when they are no longer signed in. */
  identifyAgain(): Identity | null | Promise<Identity | null>
  /** The use cases of the caller, in their workspace. */
  runtime: UseCases
  /** Scheme, host and port that the caller used, e.g. `http://127.0.0.1:4180`. Links are built from it. */
  origin: string
  nodes: NodeService
  /** Records what the request does. Null for a service without accounts, like the members below. */
  recorder: Recorder | null
  audit: Audit | null
  team: TeamService | null
}
