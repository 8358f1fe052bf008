import { DocketError } from "@docket/core"
import type { ApiContext } from "../context.ts"
import { teamOnly } from "./team-only.ts"
import type { TeamService } from "./team-service.ts"

/** @throws no_team in a service without accounts */
export function teamOf({ team }: ApiContext): TeamService {
  return teamOnly(team)
}

/** What belongs to a person's account, no key of theirs touches: who finds one could stay for good. @throws role_forbidden */
export function accountOf(ctx: ApiContext): TeamService {
  if (ctx.identity.via !== "key") return teamOf(ctx)
  throw new DocketError("role_forbidden", "A key of a program cannot do that. Sign in as a person.")
}
