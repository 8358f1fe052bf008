import { promptUnits } from "../../ground/message/prompt-units.ts"
import { toModelPrompt } from "../../ground/message/to-model-prompt.ts"
import { totalTokens } from "../../ground/message/usage.ts"
import type { AssistantMessage, MessageError } from "../../ground/schema/index.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { startMessage } from "../loop/write-message.ts"
import { compact } from "./compact.ts"
import { unitsPerToken } from "./overflow.ts"
import { prune } from "./prune.ts"
import type { CompactionDeps } from "./summarise.ts"

/** When two compactions within this many steps did not help, a third one would not either. */
const guardedSteps = 10
const mostCompactions = 2

/** When the conversation is a smaller share than this of the step's input, another summary is not worth it. */
const worthShare = 1 / 5

/** A conversation shorter than this is not the reason for a full context (UTF-16 units). */
const leastUnits = 2_000

/** A step whose request the provider refused as too long. Its message has not been closed yet. */
export interface RefusedStep {
  message: AssistantMessage
  error: MessageError
}

/** Frees space in the model's context during one turn. */
export interface RoomMaker {
  /**
   * Call it before the next step: clears old tool outputs, and if that is not enough, summarises the conversation.
   * @param refused null when the last answer reported that the context is full
   * @returns the error when no space can be freed, which the transcript then shows, once; "ends" when the turn is to end
   */
  forStep(refused: RefusedStep | null): Promise<MessageError | "ends" | null>
  /** Call it after the last step, to free space for the next prompt. The turn is complete even when this fails. */
  forPrompt(): Promise<void>
}

export function createRoomMaker(deps: CompactionDeps, turn: TurnContext): RoomMaker {
  /** The value of `turn.steps` at each compaction. */
  const compactions: number[] = []
  const recent = () => compactions.filter((step) => turn.steps - step < guardedSteps).length
  return {
    async forStep(refused) {
      // Send the request anyway: the provider decides whether it is too long.
      if (refused === null && recent() > 0 && isConversationMinor(turn)) return null
      const pruned = await prune(deps, turn)
      const error = pruned ? null : hopeless(turn, { refused, recent: recent() })
      if (refused !== null || error !== null) {
        await closeStep(deps, turn, { message: refused?.message ?? startMessage(deps, turn), error })
      }
      if (pruned || error !== null) return error
      // The text kept word for word may have filled the context again, so the second time nothing is kept.
      const tail = recent() === 0
      compactions.push(turn.steps)
      const goesOn = await deps.hooks.goesOn(true, turn)
      return (await compact(deps, turn, { auto: true, goesOn, tail })) ?? (goesOn ? null : "ends")
    },
    async forPrompt() {
      if (!(await prune(deps, turn))) await compact(deps, turn, { auto: false, tail: true })
    },
  }
}

/** Whether nearly all of the last step's input was instructions and tools. */
function isConversationMinor(turn: TurnContext): boolean {
  const last = turn.transcript.all().findLast(({ info }) => info.role === "assistant")?.info
  const read = last?.role === "assistant" ? totalTokens(last.tokens) : 0
  return conversationUnits(turn) / unitsPerToken < read * worthShare
}

function conversationUnits(turn: TurnContext): number {
  return promptUnits(toModelPrompt(turn.transcript.all(), turn.model, { texts: turn.transcript.texts() }))
}

/** Why a summary would not help; null when it might. */
function hopeless(
  turn: TurnContext,
  { refused, recent }: { refused: RefusedStep | null; recent: number },
): MessageError | null {
  if (recent >= mostCompactions) return fullAgain
  if (refused === null) return null
  if (conversationUnits(turn) >= leastUnits) return null
  return { ...refused.error, message: `${nothingToSummarise} ${refused.error.message}` }
}

const fullAgain: MessageError = {
  name: "ContextOverflowError",
  message: `The conversation was summarised ${mostCompactions} times within ${guardedSteps} steps and is too long for the model again. Ask for less at once, such as parts of large files, or choose a model with a larger context.`,
  statusCode: null,
  retryable: false,
}

const nothingToSummarise = "There is hardly any conversation to summarise: instructions and tools fill the context."

/** Closes a step that did not fit with an empty answer; its error is set only when no space can be freed. */
async function closeStep(
  deps: CompactionDeps,
  turn: TurnContext,
  { message, error }: { message: AssistantMessage; error: MessageError | null },
): Promise<void> {
  const time = { ...message.time, completed: deps.clock() }
  await turn.writer.message({ ...message, finish: error === null ? "unknown" : null, error, time })
}
