import type { AgentUseCases } from "@docket/core"
import { records } from "@docket/core/operations"
import type { MessageWithParts, PromptInput, PromptPart, Session } from "@docket/core/schema"
import { ModelRef, ToolSwitches } from "@docket/core/schema"
import { z } from "zod"
import { alreadySent } from "../http/answer.ts"
import { requires } from "../http/guarded-routes.ts"
import { sendJson } from "../http/respond.ts"
import { untilLost } from "../http/until-lost.ts"
import { messageWithPartsShape, type ShapePlace } from "./message-shape.ts"
import {
  bodyOf,
  callOf,
  type OpencodeApp,
  type OpencodeCall,
  type OpencodeContext,
  type OpencodeDeps,
  sessionIDOf,
  takeStream,
} from "./opencode-app.ts"
import { OpencodeError } from "./opencode-error.ts"
import { sendOpencodeError } from "./send-opencode-error.ts"
import { placeOf } from "./session-routes.ts"

const PartInput = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    text: z.string(),
    synthetic: z.boolean().optional(),
    ignored: z.boolean().optional(),
  }),
  z.object({ type: z.literal("file"), mime: z.string(), url: z.string(), filename: z.string().optional() }),
  z.object({ type: z.literal("agent"), name: z.string() }),
  z.object({
    type: z.literal("subtask"),
    prompt: z.string(),
    description: z.string(),
    agent: z.string(),
    model: ModelRef.optional(),
    command: z.string().optional(),
  }),
])

const PromptBody = z.object({
  parts: z.array(PartInput).min(1),
  agent: z.string().optional(),
  model: ModelRef.optional(),
  variant: z.string().min(1).optional(),
  system: z.string().optional(),
  tools: ToolSwitches.optional(),
  noReply: z.boolean().optional(),
  format: z
    .discriminatedUnion("type", [
      z.object({ type: z.literal("text") }),
      z.object({
        type: z.literal("json_schema"),
        schema: z.record(z.string(), z.unknown()),
        retryCount: z.number().optional(),
      }),
    ])
    .optional(),
})

/** A prompt as Docket takes it. */
interface Prompt extends Omit<PromptInput, "parts"> {
  parts: PromptPart[]
}

/** A prompt on its way. */
interface Sent {
  /** Resolves when the work has ended, with what went wrong, if anything did. */
  over(signal: AbortSignal): Promise<string | null>
  /** The message that answers it, once the work is over; what was added, for a prompt that nobody answers. */
  answer(): Promise<MessageWithParts | undefined>
}

/** What a prompt came to. `problem` is what went wrong; null when nothing did. */
interface Ended extends Pick<Sent, "answer"> {
  problem: string | null
  place: ShapePlace
}

/** `POST /session/:id/message` answers when the work has ended, `…/prompt_async` at once. */
export function addPromptRoutes(app: OpencodeApp, deps: OpencodeDeps): void {
  app.post("/session/:id/message", requires("prompt", records("prompted")), (c) =>
    answerAtEnd(c, deps, { prompt: async () => promptOf(await bodyOf(c, PromptBody)), read: answerOf }),
  )
  app.post("/session/:id/prompt_async", requires("prompt", records("prompted")), async (c) => {
    const call = callOf(c, deps)
    const sessionID = sessionIDOf(c)
    await send(call, sessionID, promptOf(await bodyOf(c, PromptBody)))
    c.env.outgoing.writeHead(204).end()
    return alreadySent()
  })
}

/** Prompts, and answers when the work has ended: with what `read` makes of it. */
export async function answerAtEnd(
  c: OpencodeContext,
  deps: OpencodeDeps,
  { prompt, read }: { prompt(): Promise<Prompt>; read(ended: Ended): Promise<unknown> },
): Promise<Response> {
  const call = callOf(c, deps)
  const sessionID = sessionIDOf(c)
  const res = c.env.outgoing
  takeStream(c)
  const { over, ...sent } = await send(call, sessionID, await prompt())
  const closed = new AbortController()
  res.once("close", () => closed.abort())
  const end = untilLost(c.var.isStillAllowed, closed.signal)
  const place = await placeOf(call, await call.agents.session.get({ sessionID }))
  // Not awaited: the work may take long, and goes on when the caller hangs up.
  over(end)
    .then((problem) => read({ problem, ...sent, place }))
    .then((said) => sendJson(res, 200, said))
    .catch((error: unknown) => (end.aborted ? res.destroy() : sendOpencodeError(res, error, deps.log)))
  return alreadySent()
}

/** The message that answers a prompt. @throws OpencodeError 409 without one */
export async function answerOf({ answer, problem, place }: Ended) {
  const message = await answer()
  if (message === undefined) throw new OpencodeError(409, problem ?? "The work ended without an answer.")
  return messageWithPartsShape(message, place)
}

async function send(call: OpencodeCall, sessionID: string, prompt: Prompt): Promise<Sent> {
  const session = await call.agents.session.get({ sessionID })
  // What nobody answers is no work, which would be a task.
  const isTurn = session.parentID === null || prompt.noReply === true
  return isTurn ? sendAsTurn(call, session, prompt) : sendAsTask(call, session, prompt)
}

/** What would be left out silently is refused. @throws OpencodeError 400 */
function promptOf({ noReply, format, parts, ...rest }: z.output<typeof PromptBody>): Prompt {
  const { schema, retryCount = retries } = format?.type === "json_schema" ? format : {}
  if (retryCount !== retries)
    throw new OpencodeError(400, `Docket tells a model ${retries} times what does not fit. Leave retryCount out.`)
  return {
    ...rest,
    parts: parts.flatMap(promptPart),
    ...(noReply === true && { noReply }),
    ...(schema && { outputSchema: schema }),
  }
}

/** How often a model is told what does not fit its schema, as OpenCode's default is. */
const retries = 2

async function sendAsTurn({ agents, asker }: OpencodeCall, { id }: Session, prompt: Prompt): Promise<Sent> {
  const { id: turnID } = await agents.session.promptAsync({ ...prompt, sessionID: id }, asker)
  let messageID: string | null = null
  return {
    async over(signal) {
      const ended = await agents.session.wait({ turnID, signal })
      messageID = ended.messageID
      return ended.status === "completed" ? null : (ended.error?.message ?? `The prompt is ${ended.status}.`)
    },
    async answer() {
      const { items } = await agents.session.messages({ sessionID: id, limit: answerWindow })
      if (prompt.noReply === true) return items.find(({ info }) => info.id === messageID)
      return lastAnswer(items, messageID)
    },
  }
}

/** The last answer to a prompt, also after Docket told the model to go on. */
function lastAnswer(items: MessageWithParts[], promptID: string | null): MessageWithParts | undefined {
  const after = items.slice(items.findIndex(({ info }) => info.id === promptID) + 1)
  const next = after.findIndex(
    ({ info, parts }) => info.role === "user" && parts.some((part) => part.type !== "text" || part.synthetic !== true),
  )
  return after.slice(0, next < 0 ? undefined : next).findLast(({ info }) => info.role === "assistant")
}

/** Messages in which the answer of a turn that has just ended is looked for. */
const answerWindow = 200

/**
 * Work for a child is a task of its parent, so that it has limits and a review. While one is open, its child reads the
 * prompt as a message before its next step.
 */
async function sendAsTask({ agents, asker }: OpencodeCall, child: Session, prompt: Prompt): Promise<Sent> {
  const { agent = child.agent, model, tools, outputSchema } = prompt
  const text = textFor(prompt)
  const open = (await agents.task.list({ sessionID: child.id })).find(
    ({ sessionID, time }) => sessionID === child.id && time.ended === null,
  )
  if (open !== undefined && outputSchema !== undefined)
    throw new OpencodeError(409, "The child works on something else. Send a prompt with a format when it has ended.")
  const named = { sessionID: child.parentID ?? "", childID: child.id, description: child.title }
  const task =
    open === undefined
      ? await agents.task.start({ ...named, agent, model, tools, outputSchema, prompt: text }, asker)
      : await agents.task.message({ taskID: open.id, text }, asker)
  return {
    async over(signal) {
      await whileWorking(agents, task.id, signal)
      const { error, state } = await agents.task.get({ taskID: task.id })
      if (error !== null) return error.message
      return state === "completed" || state === "awaiting_review" ? null : `The task is ${state}.`
    },
    async answer() {
      const { items } = await agents.session.messages({ sessionID: child.id, limit: answerWindow })
      return items.findLast(({ info }) => info.role === "assistant")
    },
  }
}

/** How long one wait for a task lasts (ms). It ends earlier when the task does. */
const waitMs = 1_000

/** Resolves when the task has ended or waits for its review. */
async function whileWorking({ task }: Pick<AgentUseCases, "task">, taskID: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { state, time } = await task.wait({ taskID, waitMs, signal })
    if (time.ended !== null || state === "awaiting_review") return
    signal.throwIfAborted()
  }
}

/** @throws OpencodeError 400 for what a task does not take */
function textFor({ parts, system, variant }: Prompt): string {
  if (system !== undefined || variant !== undefined)
    throw new OpencodeError(400, "The prompt of a child takes no system text and no variant: its agent has them.")
  const texts = parts.map((part) => {
    if (part.type === "text") return part.text
    throw new OpencodeError(400, `The prompt of a child takes text alone, not a part of type "${part.type}".`)
  })
  return texts.join("\n\n")
}

/** A part that is only for the eyes of a client's user is left out. */
function promptPart(part: z.output<typeof PartInput>): PromptPart[] {
  if (part.type !== "text") return [part]
  const { type, text, synthetic, ignored } = part
  return ignored === true ? [] : [{ type, text, ...(synthetic !== undefined && { synthetic }) }]
}
