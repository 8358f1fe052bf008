import { localPerson } from "@docket/core/local-person"
import type { Caller, TodoActor, TodoChange } from "@docket/core/schema"
import type { People } from "../../ui/people.ts"
import { personName } from "../../ui/person-names.ts"
import { todoStatusLabel } from "./checklist-item.ts"

/** One sentence about a change and who made it. */
export function describeChange({ actor, by, before, after, rewinds }: TodoChange, people: People): string {
  const who = actorName(actor, by, people)
  if (rewinds !== undefined) return describeRewind(who, { rewinds, before, after })
  if (before === null) return after === null ? who : `${who} added “${after.content}”`
  if (after === null) return `${who} deleted “${before.content}”`
  if (before.status !== after.status)
    return `${who} set “${after.content}” to ${todoStatusLabel[after.status].toLowerCase()}`
  if (before.content !== after.content) return `${who} reworded “${before.content}” to “${after.content}”`
  if (before.priority !== after.priority) return `${who} gave “${after.content}” ${after.priority} priority`
  if (before.position !== after.position) return `${who} moved “${after.content}” within the list`
  if (before.description !== after.description) return `${who} described “${after.content}”`
  if (before.dependsOn.join() !== after.dependsOn.join()) return `${who} changed what “${after.content}” waits for`
  if (before.proposed === null && after.proposed !== null) return `${who} proposed “${after.content}” as done`
  return `${who} changed “${after.content}”`
}

/** `rewinds` is the id of a message for an undo, and of a change for a redo. */
function describeRewind(
  who: string,
  { rewinds = "", before, after }: Pick<TodoChange, "rewinds" | "before" | "after">,
) {
  const name = `“${(after ?? before)?.content}”`
  const did = rewinds.startsWith("msg_") ? "undid" : "redid"
  if (before === null) return `${who} ${did} work: ${name} is back`
  if (after === null) return `${who} ${did} work: ${name} is gone`
  return `${who} ${did} work: ${name} is ${todoStatusLabel[after.status].toLowerCase()}`
}

/** Rows without a user come from a service with a single user, or from a program that acts for one. */
function actorName({ kind, name }: TodoActor, by: Caller | undefined, people: People): string {
  switch (kind) {
    case "user":
      return personName(by ?? localPerson, people)
    case "agent":
      return `@${name}`
    case "task":
      return `The task of @${name}`
    case "api":
      return `The program ${name}`
    case "system":
      return "Docket"
  }
}
