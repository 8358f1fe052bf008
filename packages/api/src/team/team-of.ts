import { requirePerson } from "../access/require-person.ts"
import type { ApiContext } from "../context.ts"
import { teamOnly } from "./team-only.ts"
import type { TeamService } from "./team-service.ts"

/** @throws no_team in a service without accounts */
export function teamOf({ team }: ApiContext): TeamService {
  return teamOnly(team)
}

/** The team, for changes to somebody's account or rights. @throws role_forbidden to a key */
export function accountOf(ctx: ApiContext): TeamService {
  requirePerson(ctx.identity)
  return teamOf(ctx)
}
