import type { ChangeLack, StepChange, TreeChanges } from "@docket/core"

/** One file with every change that was made to it, oldest first. */
export interface ChangedFile {
  path: string
  kind: StepChange["kind"]
  /** Sums over its changes; null when the lines of no change are known. */
  lines: { added: number; removed: number } | null
  /** Why the sums are incomplete; null when they are complete. */
  lack: ChangeLack | null
  changes: StepChange[]
}

export const groupings = ["all", "turn", "task"] as const
export type Grouping = (typeof groupings)[number]

/** A group of files. `title` is null for the one group of all files. */
export interface FileGroup {
  key: string
  title: string | null
  files: ChangedFile[]
}

/** How the interface names a task. */
export interface TaskName {
  id: string
  number: number
  agent: string
  description: string
}

/**
 * The changes of a tree by file: in one group, or in one group for each prompt or task that changed files, in their
 * order.
 */
export function groupFiles(
  { changes, prompts }: Pick<TreeChanges, "changes" | "prompts">,
  tasks: readonly TaskName[],
  grouping: Grouping,
): FileGroup[] {
  if (changes.length === 0) return []
  if (grouping === "all") return [{ key: "all", title: null, files: filesOf(changes) }]
  const title = grouping === "turn" ? turnTitles(prompts) : taskTitles(tasks)
  const idOf = ({ promptID, taskID }: StepChange) => (grouping === "turn" ? promptID : taskID) ?? ""
  return [...Map.groupBy(changes, idOf)].map(([id, own]) => ({
    key: `${grouping}:${id}`,
    title: title(id),
    files: filesOf(own),
  }))
}

/** Changes grouped by path, sorted by path. */
export function filesOf(changes: readonly StepChange[]): ChangedFile[] {
  return [...Map.groupBy(changes, ({ path }) => path)]
    .map(([path, own]) => ({ path, kind: kindOf(own), ...sumOf(own), changes: own }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

export function sumLines(files: readonly ChangedFile[]): { added: number; removed: number } {
  const sum = (side: "added" | "removed") => files.reduce((total, { lines }) => total + (lines?.[side] ?? 0), 0)
  return { added: sum("added"), removed: sum("removed") }
}

function kindOf(changes: readonly StepChange[]): StepChange["kind"] {
  if (changes.at(-1)?.kind === "deleted") return "deleted"
  return changes[0]?.kind === "added" ? "added" : "changed"
}

function sumOf(changes: readonly StepChange[]): Pick<ChangedFile, "lines" | "lack"> {
  const known = changes.flatMap(({ lines }) => (lines === null ? [] : [lines]))
  const sum = (side: "added" | "removed") => known.reduce((total, lines) => total + lines[side], 0)
  return {
    lines: known.length === 0 ? null : { added: sum("added"), removed: sum("removed") },
    lack: changes.find(({ lack }) => lack !== null)?.lack ?? null,
  }
}

function turnTitles(prompts: TreeChanges["prompts"]): (id: string) => string {
  const texts = new Map(prompts.map(({ id, text }) => [id, text.replace(/\s+/g, " ").trim()]))
  return (id) => texts.get(id) || "Without a prompt"
}

function taskTitles(tasks: readonly TaskName[]): (id: string) => string {
  const names = new Map(tasks.map((task) => [task.id, `#${task.number} ${task.description} · ${task.agent}`]))
  return (id) => (id === "" ? "This session itself" : (names.get(id) ?? "A task that is gone"))
}
