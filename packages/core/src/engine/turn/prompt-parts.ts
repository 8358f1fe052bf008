import type { GuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import { repositoryName } from "../../ground/git/repository-name.ts"
import { modelInputs } from "../../ground/message/model-inputs.ts"
import { evaluateStrictest } from "../../ground/rule/index.ts"
import type { PromptPart } from "../../ground/schema/index.ts"
import type { Attachments } from "../../records/attachment/create-attachments.ts"
import type { LoopModels } from "../loop/choose-model.ts"
import type { Hooks } from "../loop/hooks.ts"
import type { StartedTurn } from "../loop/turn-context.ts"
import type { NewPart } from "../loop/write-message.ts"
import { inputsOf } from "../prompt/model-request.ts"
import { resolvePromptParts } from "../prompt/resolve-prompt-parts.ts"

export interface PromptPartsDeps {
  models: Pick<LoopModels, "resolve">
  hooks: Pick<Hooks, "userMessage">
  /** Fetches attachments that a prompt names by URL. */
  fetchAttachment: GuardedFetch
  attachments: Pick<Attachments, "keep">
}

/** For a model that cannot be resolved: the step reports the error. */
const noInputs = modelInputs("", [], {})

/** The parts of a user message for the parts of a prompt. */
export function promptParts(deps: PromptPartsDeps, turn: StartedTurn, parts: PromptPart[]): Promise<NewPart[]> {
  const { repository } = turn.project
  const inputs = async () => inputsOf(await deps.models.resolve(turn.model, turn.config))
  return resolvePromptParts(parts, {
    worktree: turn.project.worktree,
    named: repository && { name: repositoryName(repository), directory: turn.session.directory },
    mayRead: (name) => evaluateStrictest("read", name, [turn.rules, ...turn.ceilings]).action === "allow",
    inputs: () => inputs().catch(() => noInputs),
    fetch: deps.fetchAttachment,
    keep: (file) => deps.attachments.keep(turn.session, file, turn.signal),
    signal: turn.signal,
  })
}
