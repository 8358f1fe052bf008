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

/** A third compaction within so many steps shows that the first two did not help. */
const guardedSteps = 10
const mostCompactions = 2

/** A conversation that is a smaller part of what a step read is not worth another summary. */
const worthShare = 1 / 5

/** A conversation below this is not what fills a context (UTF-16 units). */
const leastUnits = 2_000

/** A step whose request the provider refused as too long. Its message is still open. */
export interface RefusedStep {
  message: AssistantMessage
  error: MessageError
}

/** Makes room in the model's context during one turn. */
export interface RoomMaker {
  /**
   * Before the next step: clears old tool outputs, and when that is not enough summarises the conversation.
   * @param refused null when the last answer reported that the context is full
   * @returns why there is no room; the transcript then says so, once
   */
  forStep(refused: RefusedStep | null): Promise<MessageError | null>
  /** After the last step, for the next prompt. The turn is complete even when this fails. */
  forPrompt(): Promise<void>
}

export function createRoomMaker(deps: CompactionDeps, turn: TurnContext): RoomMaker {
  /** `turn.steps` at each compaction. */
  const compactions: number[] = []
  const recent = () => compactions.filter((step) => turn.steps - step < guardedSteps).length
  return {
    async forStep(refused) {
      // Whether the rest is too long, the provider says.
      if (refused === null && recent() > 0 && isMinor(turn)) return null
      const pruned = await prune(deps, turn)
      const error = pruned ? null : hopeless(turn, { refused, recent: recent() })
      if (refused !== null || error !== null) {
        await closeStep(deps, turn, { message: refused?.message ?? startMessage(deps, turn), error })
      }
      if (pruned || error !== null) return error
      // What stayed word for word may be what filled the context again.
      const tail = recent() === 0
      compactions.push(turn.steps)
      return compact(deps, turn, { auto: true, tail })
    },
    async forPrompt() {
      if (!(await prune(deps, turn))) await compact(deps, turn, { auto: false, tail: true })
    },
  }
}

/** Whether instructions and tools are nearly all that the last step read. */
function isMinor(turn: TurnContext): boolean {
  const last = turn.transcript.all().findLast(({ info }) => info.role === "assistant")?.info
  const read = last?.role === "assistant" ? totalTokens(last.tokens) : 0
  return conversationUnits(turn) / unitsPerToken < read * worthShare
}

function conversationUnits(turn: TurnContext): number {
  return promptUnits(toModelPrompt(turn.transcript.all(), turn.model))
}

/** Why a summary would not help; null when it may. */
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

/** A step that found no room leaves an empty answer, with an error only when no room can be made. */
async function closeStep(
  deps: CompactionDeps,
  turn: TurnContext,
  { message, error }: { message: AssistantMessage; error: MessageError | null },
): Promise<void> {
  const time = { ...message.time, completed: deps.clock() }
  await turn.writer.message({ ...message, finish: error === null ? "unknown" : null, error, time })
}
