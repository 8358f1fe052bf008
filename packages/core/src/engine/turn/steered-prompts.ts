import type { PromptPart, Turn, UserMessage } from "../../ground/schema/index.ts"
import type { InlineCommandRunners } from "../loop/inline-command-runner.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { type NewUserMessage, newUserMessage, type Stamp } from "../loop/write-message.ts"
import { type PromptPartsDeps, promptParts } from "./prompt-parts.ts"
import type { TurnQueue } from "./turn-queue.ts"

export interface SteeredDeps extends Stamp, PromptPartsDeps {
  queue: Pick<TurnQueue, "steered" | "read">
  hooks: PromptPartsDeps["hooks"]
  inlineCommands: Pick<InlineCommandRunners, "find">
}

/** Whether a prompt waits that this turn is to read before its next step. */
export async function hasSteered(deps: SteeredDeps, turn: TurnContext): Promise<boolean> {
  return (await steeredFor(deps, turn)).length > 0
}

/**
 * Writes the prompts that this turn is to read as user messages, in the order of the queue. Each message is stored
 * together with the end of the prompt's own turn, so that after a crash it is read once.
 */
export async function readSteered(deps: SteeredDeps, turn: TurnContext): Promise<void> {
  for (const waiting of await steeredFor(deps, turn)) {
    const made = await messageOf(deps, turn, waiting)
    const now = deps.clock()
    const read: Turn = {
      ...waiting,
      status: "completed",
      messageID: made.info.id,
      within: turn.turn.id,
      time: { ...waiting.time, started: now, ended: now },
    }
    if (await deps.queue.read(read, turn.turn, rowsOf(made))) {
      turn.transcript.putMessage(made.info)
      for (const part of made.parts) turn.transcript.putPart(part)
      turn.userMessage = made.info
    }
  }
}

async function messageOf(
  deps: SteeredDeps,
  turn: TurnContext,
  { input, by }: Turn,
): Promise<{
  info: UserMessage
  parts: NewUserMessage["parts"]
}> {
  const made = newUserMessage(deps, turn, await promptParts(deps, turn, input.parts), { by })
  const changed = await deps.hooks.userMessage(made, turn)
  return { info: changed.info.role === "user" ? changed.info : made.info, parts: changed.parts }
}

function rowsOf({ info, parts }: NewUserMessage) {
  return [{ kind: "message", value: info } as const, ...parts.map((value) => ({ kind: "part", value }) as const)]
}

/** Prompts that want anything else than this turn has get a turn of their own. */
async function steeredFor(deps: SteeredDeps, turn: TurnContext): Promise<Turn[]> {
  const { agent, model, variant } = turn
  const isSame = ({ input }: Turn) =>
    (input.agent ?? agent.name) === agent.name &&
    (input.model === undefined ||
      (input.model.providerID === model.providerID && input.model.modelID === model.modelID)) &&
    (input.variant ?? variant) === variant
  const isPlain = ({ input: { system, tools, outputSchema, noReply, parts } }: Turn) =>
    [system, tools, outputSchema, noReply].every((wish) => wish === undefined) &&
    parts.every((part) => isMessage(deps, part))
  return (await deps.queue.steered(turn.session.id)).filter((waiting) => isSame(waiting) && isPlain(waiting))
}

/** A part that is only read: commands do something of their own. */
function isMessage({ inlineCommands }: Pick<SteeredDeps, "inlineCommands">, part: PromptPart): boolean {
  if (part.type === "text") return inlineCommands.find(part.text, { finished: true }).inlineCommands.length === 0
  return part.type === "file" || part.type === "agent"
}
