import type { UseCases } from "@docket/core"
import type { Audit, Recorder } from "./audit/audit.ts"
import type { Identity } from "./auth/identity.ts"
import type { TeamService } from "./team/team-service.ts"

/** What every procedure gets. A context exists only for a request whose token or cookie was checked. */
export interface ApiContext {
  identity: Identity
  /** Asks anew who sent the request; null for who is not signed in any more. */
  identifyAgain(): Identity | null | Promise<Identity | null>
  /** The use cases as the caller has them, in their workspace. */
  runtime: UseCases
  /** Scheme, host and port that the caller used, e.g. `http://127.0.0.1:4180`. Links are built from it. */
  origin: string
  /** Writes down what is done by the request; null for a service without accounts, as those that follow. */
  recorder: Recorder | null
  audit: Audit | null
  team: TeamService | null
}
