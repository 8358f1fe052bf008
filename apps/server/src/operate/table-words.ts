/** What the rows of each table are, for people: one, and more of them. */
const words: Record<string, readonly [one: string, more: string]> = {
  Project: ["project", "projects"],
  Tree: ["tree of sessions", "trees of sessions"],
  Session: ["session", "sessions"],
  Message: ["message", "messages"],
  Part: ["part of a message", "parts of messages"],
  Todo: ["todo", "todos"],
  TodoChange: ["change of todos", "changes of todos"],
  Task: ["task", "tasks"],
  ReviewThread: ["thread of comments", "threads of comments"],
  ReviewComment: ["comment", "comments"],
  ReviewVerdict: ["verdict", "verdicts"],
  ReviewViewed: ["mark of what somebody viewed", "marks of what people viewed"],
  ReviewDraft: ["draft of a comment", "drafts of comments"],
  Memory: ["memory entry", "memory entries"],
  MemoryTag: ["tag of a memory entry", "tags of memory entries"],
  Schedule: ["schedule", "schedules"],
  ScheduleRun: ["run of a schedule", "runs of schedules"],
  ApiToken: ["token for /v1", "tokens for /v1"],
  AuditEntry: ["entry of the audit log", "entries of the audit log"],
  Workspace: ["workspace's settings", "workspaces' settings"],
  Webhook: ["webhook", "webhooks"],
  WebhookDelivery: ["delivery to a webhook", "deliveries to webhooks"],
  WebhookCursor: ["mark of what webhooks were told", "marks of what webhooks were told"],
  Turn: ["turn", "turns"],
  PermissionRequest: ["request for leave", "requests for leave"],
  PermissionGrant: ["answer “always” of a session", "answers “always” of sessions"],
  StandingGrant: ["answer “always” that stands", "answers “always” that stand"],
  Share: ["share", "shares"],
  ShareCopy: ["copy that a share shows", "copies that shares show"],
  ShareRow: ["row that a share shows", "rows that shares show"],
  Removal: ["mark of what was removed", "marks of what was removed"],
  Counter: ["counter", "counters"],
  ConfigTrust: ["trusted configuration", "trusted configurations"],
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

/** "3 sessions"; rows of a table that is unknown here by its name. */
export function rowsInWords(table: string, rows: number): string {
  const [one, more] = words[table] ?? [`row of ${table}`, `rows of ${table}`]
  return `${rows} ${rows === 1 ? one : more}`
}

/** What a backup left out, as it is written there ("rows of AuthSession", a file's path), for people. */
export function leftOutInWords(what: string): string {
  const [, part, table = ""] = /^(rows|tokens) of (\w+)$/.exec(what) ?? []
  const known = words[table]?.[1]
  if (known === undefined) return what
  return part === "rows" ? known : `${part} of ${known}`
}
