import type { AuditEntry } from "@docket/core/schema"

/** Labels of targets and facts whose names are not clear enough. */
const words: Record<string, string> = {
  name: "",
  id: "",
  email: "",
  providerID: "provider",
  signIn: "sign-in",
  newIDs: "as a new session",
  secondStep: "codes of an app",
  whenRemoved: "turns of who is removed",
  perMinute: "calls a minute",
  hidden: "private sessions",
  private: "in a private session",
  visibility: "seen by",
}

/** Labels of chosen values that are not clear enough, by name and value. */
const values: Record<string, string> = {
  "visibility author": "its author alone",
  "visibility workspace": "the workspace",
}

/** Matches ids, which are not shown; the row links to the session instead. */
const idForm = /^[a-z]{3}_[0-9a-f]{12}[0-9A-Za-z]{14}$/

/** The subject and the chosen values of an entry, in words. Ids are left out. */
export function subjectLabels({
  targets,
  facts,
  act,
  call,
}: Pick<AuditEntry, "targets" | "facts" | "act" | "call">): string[] {
  const shown = Object.entries({ ...targets, ...facts }).filter(
    ([name, value]) => !idForm.test(String(value)) && value !== 0 && !addsNothing(name, value, targets),
  )
  const said = shown.map(([name, value]) => {
    const word = words[name] ?? name
    if (typeof value === "number") return `${value} ${value === 1 ? word.replace(/s$/, "") : word}`.trim()
    return `${word} ${value === true ? "" : (values[`${name} ${value}`] ?? value)}`.trim()
  })
  return act === "call.refused" ? [call, ...said] : said
}

/** Whether a value adds nothing: an id beside a name, or the count 1. */
function addsNothing(name: string, value: unknown, targets: AuditEntry["targets"]): boolean {
  return (["person", "id"].includes(name) && "name" in targets) || (name === "times" && value === 1)
}

/** How the action was performed: by a browser, a command line or a named key, and from which address. */
export function accessLabel({ via, credential, address }: Pick<AuditEntry, "via" | "credential" | "address">): string {
  const ways = { browser: "browser", cli: "command line", key: "key", token: "token", service: "the service itself" }
  const way = credential === null ? ways[via] : `${ways[via]} “${credential}”`
  return address === null ? way : `${way}, ${address}`
}

/** The session of an entry; null for none, and for a removed session. */
export function sessionOf({ targets, act }: Pick<AuditEntry, "targets" | "act">): string | null {
  return act === "session.removed" ? null : (targets.root ?? targets.session ?? null)
}
