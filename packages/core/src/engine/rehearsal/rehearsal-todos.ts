import { clip } from "./move.ts"
import type { Situation } from "./situation.ts"
import type { WantedChange } from "./wanted-change.ts"

export type TodoStage = "planned" | "looking" | "changing" | "done" | "changeFailed"

function changeItem(change: WantedChange): string {
  if (change.kind === "run") return `Run ${clip(change.command, 80)}`
  if (change.kind === "create") return `Write ${change.file}`
  return change.kind === "append" ? `Append to ${change.file}` : `Edit ${change.file}`
}

/** The arguments of todowrite at a stage of the turn: the same items in the same order each time, then those of others. */
export function rehearsalTodos(
  stage: TodoStage,
  { words, othersTodos }: Pick<Situation, "words" | "othersTodos">,
  change: WantedChange | null,
) {
  const contents = [
    "Map the layout of the project",
    words.length > 0
      ? `Find what the request mentions: ${clip(words.join(", "), 120)}`
      : "Find how it is built and tested",
    "Read the places that matter",
    ...(change ? [changeItem(change)] : []),
    "Report with file references",
  ]
  const last = contents.length - 1
  const current = { planned: 0, looking: 2, changing: 3, done: contents.length, changeFailed: contents.length }[stage]
  const todos = contents.map((content, index) => {
    const dropped = stage === "changeFailed" && change !== null && index === 3
    const status = dropped ? "cancelled" : index < current ? "completed" : index === current ? "in_progress" : "pending"
    return { content, status, priority: index === last ? "low" : index === 0 ? "medium" : "high" }
  })
  return { todos: [...todos, ...othersTodos] }
}
