import type { MessageWithParts, TokenUsage } from "../../ground/schema/index.ts"
import type { TranscriptStore } from "../../ground/store/index.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import type { Stamp } from "../loop/stamp.ts"
import type { TurnContext } from "../loop/turn-context.ts"

export interface NoticeDeps extends Stamp {
  store: { transcript: Pick<TranscriptStore, "page"> }
}

/** Servers that read fewer say nothing of use: no request of Docket is so small (tokens). */
const leastCounted = 1_500

/** A count may be this much below the least that a request has before it says that the prompt was cut. */
const tolerance = 0.9

/** Says, once for each such text, that a model reads only its beginning and end. `sizes` are in UTF-16 units. */
export function tellShortened(deps: Stamp, turn: TurnContext, resolved: ResolvedModel, sizes: readonly number[]): void {
  if (sizes.length === 0) return
  const texts = sizes.map(
    (size) =>
      `A text of ${size.toLocaleString("en-US")} characters is too long for ${resolved.info.name}, which reads its beginning and its end. It stays whole here. To have all of it read, put it into a file, or choose a model with a larger context.`,
  )
  const told = new Set(windowTexts(turn.transcript.all()))
  for (const text of new Set(texts)) if (!told.has(text)) write(deps, turn, text)
}

/**
 * Says once in a session that the model's server cuts prompts without a word: it counted fewer tokens than there can be
 * in what was sent (`least`).
 */
export async function tellCut(
  deps: NoticeDeps,
  turn: TurnContext,
  sent: { resolved: ResolvedModel; least: number; usage: TokenUsage },
): Promise<void> {
  const { resolved, least, usage } = sent
  // The services of the makers refuse what is too long.
  if (resolved.npm !== "@ai-sdk/openai-compatible" || turn.cutTold) return
  const counted = usage.input + usage.cache.read + usage.cache.write
  if (counted < leastCounted) return
  if (counted >= least * tolerance) return
  turn.cutTold = true
  if (await isCutTold(deps, turn.session.id)) return
  const { id, name, providerID } = resolved.info
  const number = (tokens: number) => tokens.toLocaleString("en-US")
  write(
    deps,
    turn,
    `${cutOpening} ${name} counted ${number(counted)} tokens of a request that has ${number(least)} at the least, so it does not know all of this conversation. Give the model a larger context on its server (Ollama: OLLAMA_CONTEXT_LENGTH; llama.cpp: --ctx-size; LM Studio: Context Length of the loaded model), and set limit.context of ${providerID}/${id} in docket.json to the same, so that Docket makes room in time.`,
  )
}

const cutOpening = "The server of this model cuts prompts without saying so."

/** Messages that are read at once, back through earlier summaries. */
const pageSize = 200

async function isCutTold({ store }: NoticeDeps, sessionID: string): Promise<boolean> {
  let before: string | undefined
  while (true) {
    const page = await store.transcript.page({ sessionID, ...(before !== undefined && { before }), limit: pageSize })
    if (windowTexts(page.items).some((text) => text.startsWith(cutOpening))) return true
    if (page.before === null) return false
    before = page.before
  }
}

function windowTexts(messages: readonly MessageWithParts[]): string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" && part.notice?.kind === "window" ? [part.notice.text] : [])),
  )
}

function write(deps: Stamp, turn: TurnContext, text: string): void {
  const { id: messageID, sessionID } = turn.userMessage
  const place = { id: deps.createID("part"), sessionID, messageID }
  void turn.writer.part({ ...place, type: "text", text, synthetic: true, notice: { kind: "window", text } })
}
