import type { DocketClient } from "@docket/client"
import type { Role } from "@docket/core/schema"
import { tableLines } from "../table.ts"
import { dayOf } from "./day-of.ts"

type Team = DocketClient["team"]

export async function listKeys(team: Team): Promise<string[]> {
  const keys = await team.keys.query()
  if (keys.length === 0) return ["no keys"]
  return tableLines(
    keys.map(({ id, name, start, role, by, used, expires }) => [
      id,
      name,
      `${start}…`,
      role,
      `by ${by.name}`,
      `used ${dayOf(used)}`,
      `expires ${dayOf(expires)}`,
    ]),
  )
}

export interface KeyChoice {
  name: string
  role: Role
  days?: number | undefined
}

/** Makes a key for a program, with what its maker may do at most. */
export async function createKey(team: Team, { name, role, days }: KeyChoice): Promise<string[]> {
  const { id, key, expires } = await team.createKey.mutate({ name, role, days })
  const until = expires === null ? "until it is revoked" : `until ${dayOf(expires)}`
  return [`${id} is the key "${name}": ${role}, ${until}. It is not shown again:`, "", `  ${key}`]
}

export async function revokeKey(team: Team, key: string): Promise<string> {
  await team.revokeKey.mutate({ key })
  return "The key does not work any more."
}
