import { addUsage } from "../message/usage.ts"
import type { Mutation } from "../store/index.ts"

/**
 * Keeps the last mutation of each row at the place of its first one, joins session patches, and adds up the usage of a
 * session. A row stays published if any of its mutations is. Nothing is merged across a removal.
 */
export function mergeMutations(mutations: Mutation[]): Mutation[] {
  if (mutations.length < 2) return mutations
  const merged: Mutation[] = []
  const places = new Map<string, number>()
  for (const mutation of mutations) {
    const key = rowKey(mutation)
    const place = key === null ? undefined : places.get(key)
    const earlier = place === undefined ? undefined : merged[place]
    if (place !== undefined && earlier !== undefined) {
      merged[place] = joined(earlier, mutation)
      continue
    }
    if (key === null) places.clear()
    else places.set(key, merged.length)
    merged.push(mutation)
  }
  return merged
}

function rowKey(mutation: Mutation): string | null {
  switch (mutation.kind) {
    case "session":
    case "message":
    case "part":
    case "permission":
    case "turn":
    case "task":
    case "task.new":
    case "thread":
    case "verdict":
    case "viewed":
      return mutation.value.id
    case "session.patch":
      return mutation.sessionID
    case "session.used":
      return `used:${mutation.sessionID}`
    // Each is accepted or refused by itself.
    case "task.told":
    // Only the first with an id counts.
    case "comment":
    case "comment.change":
    // Each has its own history entry.
    case "todos":
    case "todo":
    case "session.note":
    case "session.notes.read":
    case "session.read":
    case "session.remove":
    case "message.remove":
    case "part.remove":
    case "todo.remove":
      return null
  }
}

function joined(earlier: Mutation, later: Mutation): Mutation {
  if (later.kind === "session.patch") {
    if (earlier.kind === "session.patch") return { ...later, patch: { ...earlier.patch, ...later.patch } }
    if (earlier.kind === "session") return { kind: "session", value: { ...earlier.value, ...later.patch } }
  }
  if (later.kind === "task" && earlier.kind === "task.new") return { kind: "task.new", value: later.value }
  if (later.kind === "session.used" && earlier.kind === "session.used") {
    return { ...later, used: addUsage(earlier.used, later.used) }
  }
  // The job was asked for with the earlier one.
  if (later.kind === "turn" && earlier.kind === "turn" && earlier.job) return { ...later, job: true }
  // The earlier one has to be published, so the merged one is, too.
  if (later.kind === "part" && earlier.kind === "part" && later.quiet && !earlier.quiet) {
    return { kind: "part", value: later.value }
  }
  return later
}
