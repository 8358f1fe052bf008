import type { MetadataOf } from "@docket/core/tool-metadata"

type Change = NonNullable<MetadataOf<"todowrite">["changed"]>[number]

const words: { says: string; holds(change: Change): boolean }[] = [
  { says: "ticked", holds: ({ from, to }) => isKept(from, to) && to === "completed" },
  { says: "started", holds: ({ from, to }) => isKept(from, to) && to === "in_progress" },
  { says: "to do again", holds: ({ from, to }) => isKept(from, to) && to === "pending" },
  { says: "cancelled", holds: ({ from, to }) => isKept(from, to) && to === "cancelled" },
  { says: "added", holds: ({ from, to }) => from === null && to !== null },
  { says: "reworded", holds: ({ from, to }) => from !== null && from === to },
  { says: "removed", holds: ({ to }) => to === null },
]

function isKept(from: Change["from"], to: Change["to"]): boolean {
  return from !== null && from !== to
}

/** Describes the changes of a call to the list: "3 ticked, 1 added"; empty without changes. */
export function todoLabel(changed: readonly Change[]): string {
  return words
    .map(({ says, holds }) => ({ says, count: changed.filter(holds).length }))
    .filter(({ count }) => count > 0)
    .map(({ says, count }) => `${count} ${says}`)
    .join(", ")
}

/** Whether the call created the list: then there is nothing to compare it with. */
export function isFirstPlan(changed: readonly Change[] | undefined): boolean {
  return changed === undefined || (changed.length > 0 && changed.every(({ from }) => from === null))
}
