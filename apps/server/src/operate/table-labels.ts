import { records } from "@docket/core/store"

/** Names for the rows of each table, singular and plural. */
const words: Record<string, readonly [one: string, more: string]> = {
  ...Object.fromEntries(Object.values(records).map((record) => [record.name, record.words])),
  Tree: ["tree of sessions", "trees of sessions"],
  MemoryTag: ["tag of a memory entry", "tags of memory entries"],
  WebhookCursor: ["mark of what webhooks were told", "marks of what webhooks were told"],
  ShareCopy: ["copy that a share shows", "copies that shares show"],
  ShareRow: ["row that a share shows", "rows that shares show"],
  Removal: ["mark of what was removed", "marks of what was removed"],
  Counter: ["counter", "counters"],
  Node: ["node", "nodes"],
  Host: ["host", "hosts"],
  Secret: ["sealed secret", "sealed secrets"],
  AuthUser: ["account", "accounts"],
  AuthSession: ["sign-in", "sign-ins"],
  AuthAccount: ["way in to an account", "ways in to accounts"],
  AuthVerification: ["link or sign-in under way", "links and sign-ins under way"],
  AuthOrganization: ["workspace", "workspaces"],
  AuthMember: ["membership", "memberships"],
  AuthInvitation: ["invitation", "invitations"],
  AuthTwoFactor: ["secret of an authenticator app", "secrets of authenticator apps"],
  AuthPasskey: ["passkey", "passkeys"],
  AuthDeviceCode: ["command line that waits to be let in", "command lines that wait to be let in"],
  AuthApiKey: ["key of a program", "keys of programs"],
}

/** "3 sessions"; an unknown table is shown by its name. */
export function rowsLabel(table: string, rows: number): string {
  const [one, more] = words[table] ?? [`row of ${table}`, `rows of ${table}`]
  return `${rows} ${rows === 1 ? one : more}`
}

/** A line about the sealed secrets among copied rows; empty without any. */
export function sealedNote(tables: Readonly<Record<string, { rows: number }>>): string {
  const rows = tables.Secret?.rows ?? 0
  if (rows === 0) return ""
  return `\n  ${rowsLabel("Secret", rows)}: they open with the DOCKET_SECRET_KEY of the service alone, which is kept apart.`
}

/** A readable name for something that a backup left out ("rows of AuthSession", or a file's path). */
export function leftOutLabel(what: string): string {
  const [, part, table = ""] = /^(rows|tokens) of (\w+)$/.exec(what) ?? []
  const known = words[table]?.[1]
  if (known === undefined) return what
  return part === "rows" ? known : `${part} of ${known}`
}
