import { formatDuration } from "@docket/core/duration"
import { visibleText } from "@docket/core/rule"
import type { Project, SessionStats, WorkFigures } from "@docket/core/schema"
import { formatCost, formatTokens, totalTokens } from "@docket/core/usage"
import { tableLines } from "../table.ts"

/** What figures are listed by. */
export const groups = ["day", "model", "agent", "project"] as const
export type Group = (typeof groups)[number]

/** Figures as tables: the sum, and what it consists of. Days without work are left out. */
export function statsLines(
  stats: SessionStats,
  by: readonly Group[],
  projects: readonly Pick<Project, "id" | "directory">[],
): string[] {
  const { from, to, total } = stats
  if (total.turns === 0) return [`nothing was done from ${from} to ${to}`]
  const directories = new Map<string, string>(projects.map(({ id, directory }) => [id, directory]))
  const named: Record<Group, [string, WorkFigures][]> = {
    day: stats.days.filter(({ turns }) => turns > 0).map((figures) => [figures.day, figures]),
    model: stats.models.map((figures) => [`${figures.model.providerID}/${figures.model.modelID}`, figures]),
    agent: stats.agents.map((figures) => [figures.agent, figures]),
    project: stats.projects.map((figures) => [directories.get(figures.projectID) ?? figures.projectID, figures]),
  }
  const tables = by.flatMap((group) => ["", ...tableLines([[group, ...columns], ...named[group].map(rowOf)])])
  return [...tableLines([[`${from} to ${to}`, ...columns], rowOf(["all", total])]), ...tables]
}

const columns = ["turns", "failed", "time", "tokens", "cost"]

function rowOf([name, { turns, failed, duration, tokens, cost }]: [string, WorkFigures]): string[] {
  const used = [formatTokens(totalTokens(tokens)), formatCost(cost)]
  return [visibleText(name), String(turns), String(failed), formatDuration(duration), ...used]
}
