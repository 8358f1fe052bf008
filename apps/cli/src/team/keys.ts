import type { DocketClient } from "@docket/client"
import type { ProgramKey } from "@docket/client/pages"
import type { Role } from "@docket/core/schema"
import { tableLines } from "../table.ts"
import { dayOf } from "./day-of.ts"
import { scopeOf } from "./key-scope.ts"

type Team = DocketClient["team"]

export async function listKeys(team: Team): Promise<string[]> {
  const keys = await team.keys.query()
  if (keys.length === 0) return ["no keys"]
  return tableLines(
    keys.map((key) => [
      key.id,
      key.name,
      `${key.start}…`,
      key.role,
      keyScope(key),
      `by ${key.by.name}`,
      `used ${dayOf(key.used)}`,
      `expires ${dayOf(key.expires)}`,
    ]),
  )
}

/** The limits of a key: "only read, prompt; 60 calls a minute". */
function keyScope({ capabilities, perMinute }: Pick<ProgramKey, "capabilities" | "perMinute">): string {
  const may = capabilities === null ? "all of that" : `only ${capabilities.join(", ") || "nothing"}`
  return perMinute === null ? may : `${may}; ${perMinute} ${perMinute === 1 ? "call" : "calls"} a minute`
}

export interface KeyChoice {
  name: string
  role: Role
  days?: number | undefined
  /** The capabilities of the key; all of its role when left out. */
  only?: readonly string[] | undefined
  /** Calls per minute; the service's default when left out. */
  perMinute?: number | undefined
}

/** Creates a key for a program. It can do at most what its creator can do. */
export async function createKey(client: DocketClient, choice: KeyChoice): Promise<string[]> {
  const { name, role, days, only, perMinute } = choice
  const capabilities = only && scopeOf(await client.me.roles.query(), role, only)
  const made = await client.team.createKey.mutate({ name, role, days, capabilities, perMinute })
  const until = made.expires === null ? "until it is revoked" : `until ${dayOf(made.expires)}`
  const scope = capabilities || perMinute !== undefined ? ` (${keyScope(made)})` : ""
  return [`${made.id} is the key "${name}": ${role}${scope}, ${until}. It is not shown again:`, "", `  ${made.key}`]
}

export async function revokeKey(team: Team, key: string): Promise<string> {
  await team.revokeKey.mutate({ key })
  return "The key does not work any more."
}
