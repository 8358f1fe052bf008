import type {
  Agent,
  MessageError,
  ModelInfo,
  ModelRef,
  PromptInput,
  Session,
  TokenUsage,
} from "../../ground/schema/index.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"

/** The sources of a prompt's model and variant. */
interface ModelWishes {
  input: Pick<PromptInput, "model" | "variant">
  agent: Pick<Agent, "model" | "variant" | "program">
  session: Pick<Session, "model" | "variant">
}

/** The prompt's own model, else the agent's, else the session's, else the project's. A program has its own. */
export function chooseModel({ input, agent, session }: ModelWishes, defaultModel: ModelRef): ModelRef {
  if (agent.program !== undefined && agent.model !== null) return agent.model
  return input.model ?? agent.model ?? session.model ?? defaultModel
}

/**
 * The variant for `model`: the prompt's own, else the session's, else the agent's. A variant of session or agent counts
 * only if the model has it, except one that the agent sets together with its model: the step reports that if unknown.
 */
export async function chooseVariant(
  models: Pick<LoopModels, "resolve">,
  { input, agent, session }: ModelWishes,
  { model, config }: { model: ModelRef; config: Config },
): Promise<string | null> {
  if (input.variant !== undefined) return input.variant
  if (!session.variant && agent.variant === null) return null
  const known: string[] = await models.resolve(model, config).then(
    ({ variants }) => Object.keys(variants),
    () => [],
  )
  if (session.variant && known.includes(session.variant)) return session.variant
  const isAgentsModel = agent.model?.providerID === model.providerID && agent.model.modelID === model.modelID
  return agent.variant !== null && (isAgentsModel || known.includes(agent.variant)) ? agent.variant : null
}

/** The part of the providers that the loop needs. */
export interface LoopModels {
  /** @throws model_not_found, provider_not_found */
  resolve(ref: ModelRef, config: Config): Promise<ResolvedModel>
  /** A cheap model for titles; the given one when there is none. */
  smallModel(ref: ModelRef, config: Config): Promise<ModelRef>
  toMessageError(error: unknown, ref: ModelRef): MessageError
  /** Milliseconds before retry `attempt` (from 1), or null to give up. */
  retryDelay(attempt: number, error: unknown): number | null
  /** USD. */
  costOf(info: ModelInfo, usage: TokenUsage): number
}
