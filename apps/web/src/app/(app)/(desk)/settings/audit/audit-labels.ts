import type { AuditEntry } from "@docket/core/schema"

/** Names of targets and facts that are not their own best words. */
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

/** Choices that are not their own best words, by what is chosen. */
const values: Record<string, string> = {
  "visibility author": "its author alone",
  "visibility workspace": "the workspace",
}

/** Ids say little to people: the link leads there. */
const idForm = /^[a-z]{3}_[0-9a-f]{12}[0-9A-Za-z]{14}$/

/** What an entry is about and what was chosen, in words; ids are left out. */
export function subjectLabels({
  targets,
  facts,
  act,
  call,
}: Pick<AuditEntry, "targets" | "facts" | "act" | "call">): string[] {
  const shown = Object.entries({ ...targets, ...facts }).filter(
    ([name, value]) => !idForm.test(String(value)) && value !== 0 && !isSaidBy(name, value, targets),
  )
  const said = shown.map(([name, value]) => {
    const word = words[name] ?? name
    if (typeof value === "number") return `${value} ${value === 1 ? word.replace(/s$/, "") : word}`.trim()
    return `${word} ${value === true ? "" : (values[`${name} ${value}`] ?? value)}`.trim()
  })
  return act === "call.refused" ? [call, ...said] : said
}

/** An id says nothing beside a name, and that something happened once says nothing at all. */
function isSaidBy(name: string, value: unknown, targets: AuditEntry["targets"]): boolean {
  return (["person", "id"].includes(name) && "name" in targets) || (name === "times" && value === 1)
}

/** How it was done: by a browser, a command line, or a key of that name; and from where. */
export function accessLabel({ via, credential, address }: Pick<AuditEntry, "via" | "credential" | "address">): string {
  const ways = { browser: "browser", cli: "command line", key: "key", token: "token", service: "the service itself" }
  const way = credential === null ? ways[via] : `${ways[via]} “${credential}”`
  return address === null ? way : `${way}, ${address}`
}

/** The session that it was done in; null for none. One that is gone is not found there. */
export function sessionOf({ targets, act }: Pick<AuditEntry, "targets" | "act">): string | null {
  return act === "session.removed" ? null : (targets.root ?? targets.session ?? null)
}
