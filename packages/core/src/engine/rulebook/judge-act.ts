import { errorText } from "../../ground/error/error-text.ts"
import { mergeRules } from "../../ground/rule/index.ts"
import type { Agent, PermissionRuleset, Project } from "../../ground/schema/index.ts"
import { type ExplainedFrom, sourceOf } from "../../setup/agent/explain-agents.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import { childRules } from "../delegation/delegate.ts"
import { type Act, type ActPlace, actAsks } from "./act-asks.ts"
import { type JudgedAct, judgeAsks, type RuleHolder } from "./judge-asks.ts"

/** A project with what is in force in it. */
export interface RuledProject
  extends ExplainedFrom,
    Pick<ActPlace, "env" | "outputDirectory" | "ownDirectories" | "skillDirectories" | "directoryLimits"> {
  project: Pick<Project, "directory" | "worktree">
  agents: readonly Agent[]
  /** What the configuration lets no agent of this name exceed. */
  ceilingsOf(agent: string): PermissionRuleset[]
}

/**
 * What the rules say of an act of an agent, and which of them decide. `under` names the agent that delegates to it.
 * @throws agent_not_found
 */
export async function judgeAct(
  ruled: RuledProject,
  { agent: name, under, ...act }: Act & { agent: string; under: string | null },
): Promise<JudgedAct> {
  const { agents, ceilingsOf, project, env, outputDirectory, ownDirectories, skillDirectories, directoryLimits } = ruled
  const agent = findAgent(agents, name)
  const limits = (of: string) => ceilingsOf(of).map((rules): RuleHolder => ({ of: "configuration", agent: of, rules }))
  const caller = under === null ? null : findAgent(agents, under)
  const config = ruled.sources.findLast((source) => source.config.primary_tools !== undefined)?.config ?? {}
  const own = mergeRules(agent.permission, caller === null ? [] : childRules(agent, { mayAsk: true, config }))
  const above: RuleHolder[] =
    caller === null ? [] : [{ of: "caller", agent: caller.name, rules: caller.permission }, ...limits(caller.name)]
  const place = {
    directory: project.directory,
    worktree: project.worktree,
    outputDirectory,
    ownDirectories,
    skillDirectories,
    directoryLimits,
    ownPlan: null,
    env,
  }
  try {
    const asks = await actAsks(act, place)
    const judged = judgeAsks(asks, [{ of: "agent", agent: name, rules: own }, ...limits(name), ...above], (rule, of) =>
      sourceOf(rule, of, ruled),
    )
    return { ...judged, refused: null }
  } catch (error) {
    return { action: "deny", patterns: [], refused: errorText(error) }
  }
}
