import type { Agent } from "../../schema/index.ts"
import { type Environment, environmentBlock } from "./environment-block.ts"
import { familyPrompt } from "./family-prompt.ts"
import { type InstructionFile, shownPath } from "./find-instructions.ts"
import { modelFamily } from "./model-family.ts"

export interface SystemPromptInput extends Environment {
  agent: Agent
  /** From findInstructions. */
  instructions: readonly InstructionFile[]
  /** Extra system text of the prompt being answered. */
  userSystem?: string | undefined
}

function instructionBlock(file: InstructionFile, worktree: string): string {
  const path = shownPath(file.path, worktree)
  return `<instructions file="${path}">\n${file.content}\n</instructions>`
}

/**
 * The system messages of a model call, at most two. The first (the agent's prompt, else that of the model's
 * family) is the same for every session, so that providers can cache it; the second holds the environment,
 * the project's instructions and the prompt's own system text. Hidden agents get only their prompt.
 */
export function systemPrompt(input: SystemPromptInput): string[] {
  const { agent, model, instructions, worktree, userSystem } = input
  const first = agent.prompt ?? familyPrompt(modelFamily(model.modelID))
  if (agent.hidden && agent.native) return [first]
  const blocks = [environmentBlock(input)]
  if (instructions.length > 0) {
    blocks.push(
      "Instructions of the user and the project follow, the most specific last. Follow them; what the user says in the conversation comes first.",
      ...instructions.map((file) => instructionBlock(file, worktree)),
    )
  }
  if (userSystem) blocks.push(userSystem)
  return [first, blocks.join("\n\n")]
}
