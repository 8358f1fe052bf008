import path from "node:path"
import type { PermissionAsk } from "../../acts/permission/judge.ts"
import { askExternalDirectory } from "../../acts/tool/ask-external.ts"
import { askForCommand } from "../../acts/tool/ask-for-command.ts"
import { alwaysOfEdit, createFileGuard, ownFileError } from "../../acts/tool/guarded-files.ts"
import type { AskPlace } from "../../acts/tool/tool.ts"
import { resolveWorktreePath } from "../../acts/tool/worktree-path.ts"
import { errorText } from "../../ground/error/error-text.ts"
import { changePermission, evaluatePermission, mergeRules, refusedChange } from "../../ground/rule/index.ts"
import type { Agent, PermissionAction, PermissionRule, PermissionRuleset, Project } from "../../ground/schema/index.ts"
import { type ExplainedFrom, sourceOf } from "../../setup/agent/explain-agents.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import { childRules } from "../delegation/delegate.ts"

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

/** Rules that an act must pass, and whose they are. */
interface RuleHolder {
  /** The agent's own; those of the one that delegates to it; or a configuration that sets a limit for the agent. */
  of: "agent" | "caller" | "configuration"
  agent: string
  rules: PermissionRuleset
}

/** One thing that a tool asks leave for, and what decides it. */
export interface JudgedPattern {
  permission: string
  pattern: string
  action: PermissionAction
  /** Whose rules decide. */
  of: RuleHolder["of"]
  agent: string
  /** Null where no rule matches, and where one that allows does not reach so far. */
  rule: PermissionRule | null
  /** The file that sets the rule; null for Docket's own, and where that is not known. */
  from: string | null
}

export interface JudgedAct {
  /** Of all patterns: one that is denied denies the act, one that asks asks for it. */
  action: PermissionAction
  patterns: JudgedPattern[]
  /** Why no rule can allow it, in the words of the tool; null else. */
  refused: string | null
}

const order: readonly PermissionAction[] = ["allow", "ask", "deny"]

/** What would come of asks: by the strictest of the holders, as for a call. What people allowed with "always" is left out. */
function judgeAsks(
  asks: readonly PermissionAsk[],
  holders: readonly [RuleHolder, ...RuleHolder[]],
  sourceOf: (rule: PermissionRule, agent: string) => string | null,
): Omit<JudgedAct, "refused"> {
  const patterns = asks.flatMap(({ permission, patterns: asked }) => {
    const each = [...new Set(asked)]
    if (permission !== changePermission) {
      return each.map((pattern) => judgePattern(permission, pattern, holders, sourceOf))
    }
    // What may change something is told where it is refused; by the very rules that refuse it.
    const [first, ...others] = holders
    const naming: typeof holders = [namingChanges(first), ...others.map(namingChanges)]
    const refused = each.filter(
      (pattern) =>
        refusedChange(
          [pattern],
          naming.map(({ rules }) => rules),
        ) !== null,
    )
    return refused.map((pattern) => judgePattern(permission, pattern, naming, sourceOf))
  })
  return { action: strictest(patterns.map(({ action }) => action)), patterns }
}

function namingChanges(holder: RuleHolder): RuleHolder {
  return { ...holder, rules: holder.rules.filter(({ permission }) => permission === changePermission) }
}

function judgePattern(
  permission: string,
  pattern: string,
  holders: readonly [RuleHolder, ...RuleHolder[]],
  sourceOf: (rule: PermissionRule, agent: string) => string | null,
): JudgedPattern {
  const said = holders.map((holder) => ({ holder, rule: evaluatePermission(permission, pattern, holder.rules) }))
  const action = strictest(said.map(({ rule }) => rule.action))
  const { holder, rule } = said.find((one) => one.rule.action === action) ?? {
    holder: holders[0],
    rule: { permission, pattern, action },
  }
  // Where no rule decides, the evaluation makes up one.
  const named = holder.rules.includes(rule) ? rule : null
  const from = named === null ? null : sourceOf(named, holder.agent)
  return { permission, pattern, action, of: holder.of, agent: holder.agent, rule: named, from }
}

function strictest(actions: readonly PermissionAction[]): PermissionAction {
  return order.findLast((action) => actions.includes(action)) ?? "allow"
}

/** Something that an agent might do. `text` is a command line for `bash`, a path for files, else what its rules name. */
export interface Act {
  permission: string
  text: string
}

interface ActPlace extends Omit<AskPlace, "ask" | "refuseChanges"> {
  /** The environment of the service. */
  env: Readonly<Record<string, string | undefined>>
}

/** Permissions that are judged by the file that they are about. */
const ofFiles: ReadonlySet<string> = new Set(["read", "edit", "write"])

/**
 * What the tools would ask leave for if an agent did that, in their order. Nothing is done; the files are looked at as they
 * are now, because links and missing ones decide what is asked.
 * @throws Error when the tool would refuse, whatever the rules say
 */
async function actAsks({ permission, text }: Act, { env, ...place }: ActPlace): Promise<PermissionAsk[]> {
  const asks: PermissionAsk[] = []
  const context: AskPlace = {
    ...place,
    ask: async (ask) => void asks.push(ask),
    refuseChanges: async (patterns) =>
      void asks.push({ permission: changePermission, patterns, always: [], metadata: { kind: "other" } }),
  }
  if (permission === "bash") await askForCommand({ command: text }, context, { env })
  else if (ofFiles.has(permission)) await askForFile(permission === "read" ? "read" : "edit", text, context)
  else asks.push({ permission, patterns: [text], always: [text], metadata: { kind: "path", path: text } })
  return asks
}

async function askForFile(permission: "read" | "edit", text: string, context: AskPlace): Promise<void> {
  const target = await resolveWorktreePath(context, text)
  const guard = await createFileGuard(context)
  if (permission === "edit" && guard.isOwn(target.real)) throw ownFileError(text)
  await askExternalDirectory(context, target, { kind: "file", reads: permission === "read" })
  const named = path.resolve(context.directory, text)
  const patterns = permission === "read" ? [target.name] : guard.editPatterns({ named, real: target.real })
  const always = permission === "read" ? patterns : alwaysOfEdit(patterns)
  await context.ask({ permission, patterns, always, metadata: { kind: "path", path: target.real } })
}
