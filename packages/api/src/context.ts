import type { UseCases } from "@docket/core"
import type { Caller } from "@docket/core/schema"

/** What every procedure gets. A context exists only for a request whose token or cookie was checked. */
export interface ApiContext {
  caller: Caller
  /** The use cases as the caller has them. */
  runtime: UseCases
  /** Scheme, host and port that the caller used, e.g. `http://127.0.0.1:4180`. Links are built from it. */
  origin: string
}
