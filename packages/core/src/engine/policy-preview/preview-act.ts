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
import { childRules } from "../delegation/child-session.ts"

/**
 * An act that an agent might do. `text` is a command line for `bash`, a path for files, otherwise the text that its
 * rules match.
 */
export interface Act {
  permission: string
  text: string
}

interface ActPlace extends Omit<AskPlace, "ask" | "refuseChanges"> {
  /** The environment of the service. */
  env: Readonly<Record<string, string | undefined>>
}

/** A project with its agents and the configuration in force. */
export interface RuledProject
  extends ExplainedFrom,
    Pick<ActPlace, "env" | "outputDirectory" | "ownDirectories" | "skillDirectories" | "directoryLimits"> {
  project: Pick<Project, "directory" | "worktree">
  agents: readonly Agent[]
  /** Limits from the configuration that agents of this name may not exceed. */
  ceilingsOf(agent: string): PermissionRuleset[]
}

/**
 * What the rules decide about an act of an agent, and which rule decides. `under` names the agent that delegates to it.
 * @throws agent_not_found
 */
export async function previewAct(
  ruled: RuledProject,
  { agent: name, under, ...act }: Act & { agent: string; under: string | null },
): Promise<PreviewedAct> {
  const { agents, ceilingsOf, project, env, outputDirectory, ownDirectories, skillDirectories, directoryLimits } = ruled
  const agent = findAgent(agents, name)
  const limits = (of: string) => ceilingsOf(of).map((rules): RuleHolder => ({ of: "configuration", agent: of, rules }))
  const delegator = under === null ? null : findAgent(agents, under)
  const config = ruled.sources.findLast((source) => source.config.primary_tools !== undefined)?.config ?? {}
  const own = mergeRules(agent.permission, delegator === null ? [] : childRules(agent, { mayAsk: true, config }))
  const above: RuleHolder[] =
    delegator === null
      ? []
      : [{ of: "caller", agent: delegator.name, rules: delegator.permission }, ...limits(delegator.name)]
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

/** A set of rules that an act must pass, and its owner. */
interface RuleHolder {
  /** Rules of the agent, rules of the agent that delegates to it, or a limit from the configuration. */
  of: "agent" | "caller" | "configuration"
  agent: string
  rules: PermissionRuleset
}

/** One permission that a tool asks for, and the rule that decides it. */
export interface PreviewedPattern {
  permission: string
  pattern: string
  action: PermissionAction
  /** The owner of the deciding rule. */
  of: RuleHolder["of"]
  agent: string
  /** Null when no rule matches, or when the allowing rule does not cover the whole act. */
  rule: PermissionRule | null
  /** The file with the rule; null for Docket's own rules and when unknown. */
  from: string | null
}

export interface PreviewedAct {
  /** The strictest action of all patterns: one denied pattern denies the act, one that asks makes it ask. */
  action: PermissionAction
  patterns: PreviewedPattern[]
  /** Why no rule can allow it, in the words of the tool; otherwise null. */
  refused: string | null
}

const order: readonly PermissionAction[] = ["allow", "ask", "deny"]

/**
 * The decision on permission requests, by the strictest rules, as for a call. What users allowed with "always" is not
 * considered.
 */
function judgeAsks(
  asks: readonly PermissionAsk[],
  holders: readonly [RuleHolder, ...RuleHolder[]],
  sourceOf: (rule: PermissionRule, agent: string) => string | null,
): Omit<PreviewedAct, "refused"> {
  const patterns = asks.flatMap(({ permission, patterns: asked }) => {
    const each = [...new Set(asked)]
    if (permission !== changePermission) {
      return each.map((pattern) => judgePattern(permission, pattern, holders, sourceOf))
    }
    // Acts that may change something are refused earlier, so show the rules that refuse them.
    const [first, ...others] = holders
    const onChanges: typeof holders = [withChangeRules(first), ...others.map(withChangeRules)]
    const refused = each.filter(
      (pattern) =>
        refusedChange(
          [pattern],
          onChanges.map(({ rules }) => rules),
        ) !== null,
    )
    return refused.map((pattern) => judgePattern(permission, pattern, onChanges, sourceOf))
  })
  return { action: strictest(patterns.map(({ action }) => action)), patterns }
}

/** The holder with only its rules on changes. */
function withChangeRules(holder: RuleHolder): RuleHolder {
  return { ...holder, rules: holder.rules.filter(({ permission }) => permission === changePermission) }
}

function judgePattern(
  permission: string,
  pattern: string,
  holders: readonly [RuleHolder, ...RuleHolder[]],
  sourceOf: (rule: PermissionRule, agent: string) => string | null,
): PreviewedPattern {
  const said = holders.map((holder) => ({ holder, rule: evaluatePermission(permission, pattern, holder.rules) }))
  const action = strictest(said.map(({ rule }) => rule.action))
  const { holder, rule } = said.find((one) => one.rule.action === action) ?? {
    holder: holders[0],
    rule: { permission, pattern, action },
  }
  // When no rule matches, the evaluation returns a made-up rule.
  const named = holder.rules.includes(rule) ? rule : null
  const from = named === null ? null : sourceOf(named, holder.agent)
  return { permission, pattern, action, of: holder.of, agent: holder.agent, rule: named, from }
}

function strictest(actions: readonly PermissionAction[]): PermissionAction {
  return order.findLast((action) => actions.includes(action)) ?? "allow"
}

/** Permissions whose pattern is a file. */
const ofFiles: ReadonlySet<string> = new Set(["read", "edit", "write"])

/**
 * The permissions that the tools would ask for, in order, if an agent did that. Nothing is done. Files are examined as
 * they are now, because links and missing files affect what is asked.
 * @throws Error when the tool would refuse it whatever the rules say
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
