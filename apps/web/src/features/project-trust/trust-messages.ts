import type { ProjectTrust } from "@docket/core"

/** Whether something in the project waits for the user's trust. */
export function waitsForTrust({ state }: Pick<ProjectTrust, "state">): boolean {
  return state === "untrusted" || state === "changed"
}

/** Whether the user can trust the project as it is. One that brings nothing has programs of its own all the same. */
export function canBeTrusted({ state, hash }: Pick<ProjectTrust, "state" | "hash">): boolean {
  return state !== "trusted" && hash !== null
}

/** One sentence about the state of a project whose configuration waits for trust. It begins with `project`. */
export function trustSentence(project: string, { state, entries }: Pick<ProjectTrust, "state" | "entries">): string {
  const uncounted = entries.filter(({ counts }) => !counts).length
  const effect =
    uncounted === 1 ? "1 thing that it brings does not count" : `${uncounted} things that it brings do not count`
  return state === "changed"
    ? `${project} has changed since you trusted it: ${effect}.`
    : `${project} is not trusted: ${effect}.`
}
