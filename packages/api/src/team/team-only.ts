import { DocketError } from "@docket/core"

/** Returns a part of the context that only a service with accounts has. @throws no_team */
export function teamOnly<T>(part: T | null): T {
  if (part !== null) return part
  const remedy = "docket team init --url https://docket.example.org lets several people use it"
  const other = "docket login --server https://docket.example.org signs you in to the service of a team"
  throw new DocketError("no_team", `Docket runs for one person here, without accounts. ${remedy}; ${other}.`)
}
