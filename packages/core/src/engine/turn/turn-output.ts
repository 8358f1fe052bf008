import { noticeOf } from "../../ground/message/notice-of.ts"
import type { MessageError } from "../../ground/schema/index.ts"
import { checkOutput, type OutputSchema, repairPrompt, schemaInstruction } from "../loop/output-schema.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import { type NewPart, type Stamp, writeUserMessage } from "../loop/write-message.ts"

/** How often a model is told that its answer does not fit. */
const mostRepairs = 2

/** `again`: the model was told what is wrong, and must answer once more. */
type TurnOutput = { kind: "fits"; output: unknown } | { kind: "again" } | { kind: "unfit"; error: MessageError }

/** Tells the model, with the prompt, which form its answer must have. */
export function outputSchemaPart(schema: OutputSchema): NewPart {
  const text = schemaInstruction(schema)
  return { type: "text", text, synthetic: true, notice: { kind: "output-schema", problem: null } }
}

/** The value in the answer of a turn whose loop is over. */
export async function turnOutput(deps: Stamp, turn: TurnContext, schema: OutputSchema): Promise<TurnOutput> {
  const check = await checkOutput(answerOf(turn), schema)
  const last = turn.transcript.all().at(-1)?.info
  if (check.ok) {
    if (last?.role === "assistant") await turn.writer.message({ ...last, output: check.output })
    return { kind: "fits", output: check.output }
  }
  if (repairsOf(turn) < mostRepairs) {
    turn.userMessage = writeUserMessage(deps, turn, [
      {
        ...{ type: "text", text: repairPrompt(check.problem, schema), synthetic: true },
        notice: { kind: "output-schema", problem: check.problem },
      },
    ])
    await turn.writer.settled()
    return { kind: "again" }
  }
  const message = `The answer does not fit the output schema, though the model was told ${mostRepairs} times what is wrong. The last answer has this problem:\n${check.problem}\nAsk for less, or choose another model.`
  const error: MessageError = { name: "OutputSchemaError", message, statusCode: null, retryable: false }
  if (last?.role === "assistant") await turn.writer.message({ ...last, error })
  return { kind: "unfit", error }
}

/** The last text of the last answer; empty for none. */
function answerOf({ transcript, turn }: TurnContext): string {
  const last = transcript.all().at(-1)
  if (last?.info.role !== "assistant" || last.info.id < (turn.messageID ?? "")) return ""
  return last.parts.flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part.text] : [])).at(-1) ?? ""
}

/** How often the model was told in this turn, also before a restart. */
function repairsOf({ transcript, turn }: TurnContext): number {
  const begun = turn.messageID ?? ""
  return transcript
    .all()
    .filter(({ info }) => info.role === "user" && info.id > begun)
    .flatMap(({ parts }) => parts.map(noticeOf))
    .filter((notice) => notice?.kind === "output-schema" && notice.problem !== null).length
}
