import type { ChangeFigures, ChangeSummary, FileFigures, StepChange, TreeChanges } from "./change-service.ts"

/** The figures of all changes of a tree, and of those that each prompt led to. */
export function summariseChanges({ changes, prompts, unseen, truncated }: TreeChanges): ChangeSummary {
  const byPrompt = Map.groupBy(changes, ({ promptID }) => promptID)
  return {
    ...figuresOf(changes),
    prompts: prompts.map(({ id, text }) => ({ id, text, ...figuresOf(byPrompt.get(id) ?? []) })),
    unseen,
    truncated,
  }
}

function figuresOf(changes: readonly StepChange[]): ChangeFigures {
  const diffs = [...Map.groupBy(changes, ({ path }) => path)]
    .map(([path, own]) => fileFigures(path, own))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return {
    additions: diffs.reduce((sum, { additions }) => sum + additions, 0),
    deletions: diffs.reduce((sum, { deletions }) => sum + deletions, 0),
    files: diffs.length,
    diffs,
  }
}

function fileFigures(path: string, changes: readonly StepChange[]): FileFigures {
  const sum = (side: "added" | "removed") => changes.reduce((total, { lines }) => total + (lines?.[side] ?? 0), 0)
  return {
    path,
    kind: kindOf(changes),
    additions: sum("added"),
    deletions: sum("removed"),
    lack: changes.find(({ lack }) => lack !== null)?.lack ?? null,
  }
}

function kindOf(changes: readonly StepChange[]): StepChange["kind"] {
  if (changes.at(-1)?.kind === "deleted") return "deleted"
  return changes[0]?.kind === "added" ? "added" : "changed"
}
