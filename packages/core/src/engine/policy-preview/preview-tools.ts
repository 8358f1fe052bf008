import type { Tool } from "../../acts/tool/tool.ts"
import { isDocketError } from "../../ground/error/docket-error.ts"
import { evaluateStrictest, mergeRules } from "../../ground/rule/index.ts"
import type { ModelRef, PermissionAction, PermissionRuleset, Project, Session } from "../../ground/schema/index.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import { allowedSkills } from "../../setup/skill/list-skills.ts"
import { childRules } from "../delegation/child-session.ts"
import { chooseModel } from "../loop/choose-model.ts"
import { type ToolSource, toolsOf } from "../loop/tool-source.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { inputsOf } from "../prompt/model-request.ts"
import { deferTools } from "../step/defer-tools.ts"
import { chooseTools } from "../step/offered-tools.ts"
import type { TurnSetup } from "../turn/start-turn.ts"

/** A tool, and whether a model is offered it. */
export interface ListedTool {
  name: string
  /** The permission that its calls ask for. */
  permission: string
  /** What the rules say of its calls where none of them names a pattern. */
  action: PermissionAction
  /** It is allowed, but a rule asks for or denies some patterns, such as files that hold secrets. */
  partly: boolean
  /** Why it is not offered, in words for people; null when it is. */
  withheld: string | null
  /** What the model does not get of it, in words for people; null for nothing that is known. */
  lack: string | null
}

/** The tools of an agent with a model, by name. */
export interface ToolList {
  agent: string
  model: ModelRef
  tools: ListedTool[]
  /** What is wrong with files that define tools. */
  problems: ConfigProblem[]
}

/** What sources read of a turn to list its tools. */
interface ToolPlace
  extends Pick<
    TurnContext,
    | "project"
    | "config"
    | "agents"
    | "agent"
    | "rules"
    | "ceilings"
    | "ceilingsOf"
    | "skills"
    | "model"
    | "provided"
    | "signal"
  > {
  session: Pick<Session, "id" | "parentID" | "directory">
}

interface PreviewDeps {
  toolSources: readonly ToolSource[]
  models: { resolve(ref: ModelRef, config: Config): Promise<ResolvedModel> }
  problemsOf(project: Project): Promise<ConfigProblem[]>
}

/**
 * The tools that a new session with this agent would offer its model, and those that it would withhold, with the
 * reasons. Without a model: the agent's own, else the project's. A subagent is seen as at work for another agent.
 * @throws agent_not_found
 */
export async function previewTools(
  deps: PreviewDeps,
  setup: TurnSetup,
  asked: { agent: string; model?: ModelRef | undefined },
): Promise<ToolList> {
  const { project, config, agents, ceilingsOf, provided } = setup
  const agent = findAgent(agents, asked.agent)
  const isSubagent = agent.mode === "subagent"
  const model = asked.model ?? chooseModel({ input: {}, agent, session: { model: null } }, setup.defaultModel)
  const rules = mergeRules(agent.permission, isSubagent ? childRules(agent, { mayAsk: true, config }) : [])
  const ceilings = ceilingsOf(agent.name)
  const skills = allowedSkills(setup.skills, [rules, ...ceilings])
  const session = { id: "preview", parentID: isSubagent ? "" : null, directory: project.directory }
  const { signal } = new AbortController()
  const known = { project, config, provided, agents, agent, rules, ceilings, ceilingsOf, skills, model }
  const place: ToolPlace = { ...known, session, signal }
  // The rest of a turn is read by calls of the tools, and none is made here.
  const tools = await toolsOf(deps.toolSources, place as TurnContext)
  const { offered: chosen, withheld } = chooseTools(tools, { modelID: model.modelID, rules, ceilings, switches: [] })
  const resolved = await resolveModel(deps, model, config)
  const sees = resolved === null || (await inputsOf(resolved)).kinds.includes("image")
  const context = resolved?.info.limit.context ?? 0
  const offered = deferTools(chosen, { mode: config.tool_search, context })
  const lackOf = ({ id, isDeferred }: Tool) => {
    if (isDeferred) return searchedOnly
    return id === "read" && !sees ? blind : null
  }
  const named = ({ id, permission }: Tool) => {
    const plain = ceilings.map(withoutPatterns)
    const { action } = evaluateStrictest(permission, "*", [withoutPatterns(rules), ...plain])
    const partly = action === "allow" && evaluateStrictest(permission, "*", [rules, ...ceilings]).action !== action
    return { name: id, permission, action, partly }
  }
  const listed = [
    ...offered.map((tool) => ({ ...named(tool), lack: lackOf(tool), withheld: tool.hidden ? understoodOnly : null })),
    ...withheld.map(({ tool, why }) => ({ ...named(tool), lack: lackOf(tool), withheld: why })),
  ]
  const problems = await deps.problemsOf(project)
  return { agent: agent.name, model, tools: listed.sort((a, b) => a.name.localeCompare(b.name)), problems }
}

function withoutPatterns(rules: PermissionRuleset): PermissionRuleset {
  return rules.filter(({ pattern }) => pattern === "*")
}

const blind = "the model cannot see pictures: it reads their names and sizes"

const searchedOnly = "the model is told of it once it has searched for it"

/** Null where the model cannot be used: what is known of it then decides nothing. */
async function resolveModel({ models }: PreviewDeps, ref: ModelRef, config: Config): Promise<ResolvedModel | null> {
  return models.resolve(ref, config).catch((error: unknown) => {
    if (isDocketError(error)) return null
    throw error
  })
}

const understoodOnly = "models are not told of it, but a call of it is understood"
