import type { ConfigProblem } from "../../setup/config/config-report.ts"

/** What was wrong with the tool files of each project when they were last asked which tools they export. */
export interface ToolProblems {
  set(projectID: string, problems: readonly ConfigProblem[]): void
  of(projectID: string): readonly ConfigProblem[]
}

export function createToolProblems(): ToolProblems {
  const known = new Map<string, readonly ConfigProblem[]>()
  return {
    set: (projectID, problems) => void known.set(projectID, problems),
    of: (projectID) => known.get(projectID) ?? [],
  }
}
