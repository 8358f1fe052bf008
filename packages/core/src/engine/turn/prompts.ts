import type { SavedOutputs } from "../../acts/tool/saved-outputs.ts"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { MediaProblem } from "../../ground/media/inspect-media.ts"
import { maxPromptBytes } from "../../ground/message/prompt-limit.ts"
import { mergeRules } from "../../ground/rule/index.ts"
import type {
  Agent,
  Caller,
  ModelRef,
  Project,
  PromptInput,
  PromptPart,
  Session,
  Turn,
} from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { Trace } from "../../ground/trace/trace.ts"
import type { Attachments } from "../../records/attachment/create-attachments.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import type { Config } from "../../setup/config/schema.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import { expandCommand } from "../command/expand-command.ts"
import type { Command } from "../command/find-commands.ts"
import { chooseModel } from "../loop/choose-model.ts"
import type { Hooks } from "../loop/hooks.ts"
import { assertSchema } from "../loop/output-schema.ts"
import type { Reverts } from "../revert/create-reverts.ts"
import type { TurnQueue } from "./turn-queue.ts"

/** How many texts, files, mentions and tasks one prompt may have. */
const maxPromptParts = 500

export interface PromptService {
  /**
   * Stores the prompt and queues its turn, under the `id` from the request's key if there is one. Returns at once.
   * @throws session_not_found, agent_not_found, model_not_found, variant_not_found, prompt_too_large
   */
  submit(sessionID: string, input: PromptInput, id?: string): Promise<Turn>
  /** @throws turn_not_found */
  get(turnID: string): Promise<Turn>
  /** Resolves when the turn has ended. */
  wait(turnID: string, signal?: AbortSignal): Promise<Turn>
  /** Withdraws a queued prompt. False when it already runs. */
  withdraw(turnID: string): Promise<boolean>
  /** Changes a queued prompt; null when it already runs. @throws as `submit` does of its content */
  change(turnID: string, change: PromptChange): Promise<Turn | null>
}

/** What becomes of a prompt that waits. */
export interface PromptChange {
  /** Its new content. */
  parts?: PromptPart[] | undefined
  /** The waiting prompt before which it is to run; null for the end of the queue. */
  before?: string | null | undefined
  /** It is read before the next step of the turn that runs, or runs next. */
  now?: boolean | undefined
}

interface PromptsDeps {
  store: Pick<Store, "turn">
  queue: Pick<TurnQueue, "enqueue" | "ended" | "withdraw" | "change">
  reverts: Pick<Reverts, "inOrder" | "cleanup">
  hooks: Pick<Hooks, "command" | "prompt">
  savedOutputs: Pick<SavedOutputs, "remove">
  attachments: Pick<Attachments, "keep" | "removing">
  createID: CreateId
  clock: () => number
  trace: Pick<Trace, "headers">
  sessionByID(id: string): Promise<Session>
  /** Config and agents of the session's project. */
  setupOf(session: Session): Promise<PromptSetup>
  /** The commands of the session's project, for a person who prompts. */
  commandsOf(session: Session, person: string | null): Promise<readonly Command[]>
  /** @throws model_not_found, provider_not_found, variant_not_found */
  checkModel(config: Config, wanted: { model: ModelRef; variant: string | undefined }): Promise<void>
}

interface PromptSetup {
  project: Project
  config: Config
  agents: Agent[]
  defaultModel: ModelRef
}

export type Prompts = Omit<PromptService, "submit" | "withdraw" | "change"> & {
  /** `id` comes from the request's key. @throws AlreadyMadeError when its turn exists */
  submit(sessionID: string, input: PromptInput, by?: Caller, id?: string): Promise<Turn>
  /** Queues a prompt of Docket, which needs no checks. */
  enqueue(session: Session, input: PromptInput, options?: EnqueueOptions): Promise<Turn>
  /** See `PromptService`, on behalf of `by`. */
  withdraw(turnID: string, by?: Caller): Promise<boolean>
  /** See `PromptService`. Who changes the content is who wrote it. */
  change(turnID: string, change: PromptChange, by?: Caller): Promise<Turn | null>
}

interface EnqueueOptions {
  /** The user who sent the prompt. */
  by?: Caller | undefined
  /** The user for whom the turn works; `by` when absent. */
  cause?: Caller | undefined
  /** Mutations to commit together with the prompt. */
  more?: Mutation[] | undefined
  /** The call that queues it waits for its end. */
  isAwaited?: boolean | undefined
}

interface Prompt extends EnqueueOptions {
  input: PromptInput
  id?: string | undefined
}

/** Checks prompts, stores them as turns and queues them. */
export function createPrompts(deps: PromptsDeps): Prompts {
  let last = 0
  /** Creation times are distinct, so that prompts of one moment keep their order. */
  const creationTime = () => {
    last = Math.max(deps.clock(), last + 1)
    return last
  }
  const add = async (session: Session, { input, by, cause, id, isAwaited, more = [] }: Prompt): Promise<Turn> => {
    const { traceparent: of } = deps.trace.headers()
    const turn: Turn = {
      id: id ?? deps.createID("turn"),
      rootID: session.rootID,
      sessionID: session.id,
      status: "queued",
      input,
      messageID: null,
      attempt: 0,
      epoch: 0,
      error: null,
      ...(by && { by }),
      ...(cause && { cause }),
      ...(of && { trace: { of, how: isAwaited ? "within" : "after" } }),
      time: { created: creationTime(), started: null, ended: null },
    }
    const mutations: Mutation[] = [...more]
    if (session.abortedAt !== null && session.parentID === null) {
      mutations.push({ kind: "session.patch", sessionID: session.id, patch: { abortedAt: null } })
    }
    await deps.queue.enqueue(turn, mutations, id !== undefined)
    return turn
  }
  // Waits while an undo runs. The prompt removes the undone part in the same commit.
  const enqueue = (session: Session, { more = [], ...prompt }: Prompt): Promise<Turn> => {
    if (session.parentID !== null) return add(session, { ...prompt, more })
    return deps.reverts.inOrder(session.id, async () => {
      const current = await deps.sessionByID(session.id)
      const { mutations, removed } = await deps.reverts.cleanup(current)
      const turn = await deps.attachments.removing(removed, () =>
        add(current, { ...prompt, more: [...mutations, ...more] }),
      )
      await deps.savedOutputs.remove(removed)
      return turn
    })
  }
  // In order of arrival, because the checks of one prompt may take longer than those of the next.
  const inArrival = createKeyedQueue()
  return {
    enqueue: (session, input, options) => enqueue(session, { input, ...options }),
    submit: (sessionID, given, by, id) =>
      inArrival(sessionID, async () => {
        const { session, input } = await checked(deps, { sessionID, by }, given)
        return enqueue(session, { input, by, id })
      }),
    async get(turnID) {
      const turn = await deps.store.turn.get(turnID)
      if (turn === null) throw new DocketError("turn_not_found", `There is no turn ${turnID}.`)
      return turn
    },
    wait: deps.queue.ended,
    async withdraw(turnID, by) {
      const turn = await deps.store.turn.get(turnID)
      return turn !== null && deps.queue.withdraw(turn, by)
    },
    async change(turnID, change, by) {
      const found = await deps.store.turn.get(turnID)
      if (found === null) throw new DocketError("turn_not_found", `There is no turn ${turnID}.`)
      return inArrival(found.sessionID, () => changeWaiting(deps, turnID, change, by))
    },
  }
}

/** How often a change is tried again when another one comes between. */
const mostTries = 3

async function changeWaiting(
  deps: PromptsDeps,
  turnID: string,
  { parts, before, now = false }: PromptChange,
  by: Caller | undefined,
): Promise<Turn | null> {
  for (let tries = 0; tries < mostTries; tries++) {
    const found = await deps.store.turn.get(turnID)
    if (found?.status !== "queued") return null
    const { sessionID } = found
    const steered = { ...found.input, ...(now && { steer: true }) }
    const { input } =
      parts === undefined ? { input: steered } : await checked(deps, { sessionID, by }, { ...steered, parts })
    const changed: Turn = parts === undefined ? { ...found, input } : { ...writtenBy(by, found), input }
    const waiting = (await deps.store.turn.open({ sessionID })).filter(({ status }) => status === "queued")
    const moved = now ? moveBefore(waiting, changed, waiting[0]?.id) : moveBefore(waiting, changed, before)
    const stored = await deps.queue.change(moved.some(({ id }) => id === turnID) ? moved : [changed, ...moved])
    if (stored !== null) return stored.find(({ id }) => id === turnID) ?? null
  }
  return null
}

/** A prompt with another text: it works for whoever wrote that, and not for who caused what stood there. */
function writtenBy(by: Caller | undefined, { cause: _, ...turn }: Turn): Turn {
  return { ...turn, ...(by && { by }) }
}

/**
 * The turns that change when one is to run before another, or last of all for null. The times at which they were made
 * are what orders them, so these are dealt out anew, and apart: two services may have made prompts in one millisecond.
 * @throws turn_not_found
 */
function moveBefore(waiting: readonly Turn[], turn: Turn, before: string | null | undefined): Turn[] {
  const others = waiting.filter(({ id }) => id !== turn.id)
  const ordered = waiting.map((one) => (one.id === turn.id ? turn : one))
  if (before === undefined || before === turn.id) return [turn]
  const at = before === null ? others.length : others.findIndex(({ id }) => id === before)
  if (at < 0) throw new DocketError("turn_not_found", `The prompt ${before} does not wait in this session.`)
  let last = 0
  return others.toSpliced(at, 0, turn).flatMap((one, index) => {
    const created = Math.max(ordered[index]?.time.created ?? one.time.created, last + 1)
    last = created
    return one.id === turn.id || created !== one.time.created ? [{ ...one, time: { ...one.time, created } }] : []
  })
}

/**
 * The session and the checked input of a prompt. @throws session_not_found, invalid_input, prompt_too_large,
 * agent_not_found, and as `checkModel` and `expandCommand`
 */
async function checked(
  deps: PromptsDeps,
  { sessionID, by }: { sessionID: string; by: Caller | undefined },
  given: PromptInput,
): Promise<{ session: Session; input: PromptInput }> {
  checkContent(given)
  await checkAnswer(given)
  const session = await deps.sessionByID(sessionID)
  const { project, config, agents, defaultModel } = await deps.setupOf(session)
  const input = await withCommand(deps, given, { session, project, agents, person: by?.person ?? null })
  if (input.agent !== undefined) findAgent(agents, input.agent)
  const name = input.agent ?? session.agent
  const agentRules = agents.find((agent) => agent.name === name)?.permission ?? []
  const taker = {
    session,
    project: workingProject(session, project),
    agents,
    name,
    rules: mergeRules(agentRules, session.permission),
  }
  const parts = await deps.hooks.prompt(input.parts.map(asOfClient), taker)
  for (const part of parts) {
    if (part.type === "subtask") findAgent(agents, part.agent)
    const taskModel = part.type === "command" ? part.expansion?.subtask?.model : null
    if (taskModel) await deps.checkModel(config, { model: taskModel, variant: undefined })
  }
  if (input.model !== undefined || input.variant !== undefined) {
    const agent = findAgent(agents, input.agent ?? session.agent)
    const model = chooseModel({ input, agent, session }, defaultModel)
    if (agent.program === undefined) await deps.checkModel(config, { model, variant: input.variant })
  }
  return { session, input: { ...input, parts: await withKeptFiles(deps, session, parts) } }
}

/** Files that come with the prompt are kept by their contents, so that no row holds them. @throws invalid_input */
async function withKeptFiles(
  { attachments }: Pick<PromptsDeps, "attachments">,
  session: Session,
  parts: PromptPart[],
): Promise<PromptPart[]> {
  const kept: PromptPart[] = []
  for (const part of parts) {
    if (part.type !== "file") {
      kept.push(part)
      continue
    }
    const { mime, url } = await attachments.keep(session, part).catch((error: unknown) => {
      if (!(error instanceof MediaProblem)) throw error
      throw new DocketError("invalid_input", `The file ${part.filename ?? "of the prompt"} ${error.message}`)
    })
    // What the client says of its size counts for nothing: it is read again from the row.
    kept.push({ ...part, mime, url })
  }
  return kept
}

/**
 * The prompt with its command expanded, and with the agent and model that the command sets. @throws as `expandCommand`
 */
async function withCommand(
  deps: Pick<PromptsDeps, "commandsOf" | "hooks">,
  input: PromptInput,
  { session, project, agents, person }: { session: Session; project: Project; agents: Agent[]; person: string | null },
): Promise<PromptInput> {
  const [command, ...others] = input.parts.filter((part) => part.type === "command")
  if (command === undefined) return input
  if (others.length > 0) throw new DocketError("invalid_input", "A prompt is one command. Send the others after it.")
  const place = { commands: await deps.commandsOf(session, person), agents, directory: session.directory }
  const { parts: expanded, agent, model } = await expandCommand(command, place)
  const { name, arguments: typed } = command
  const parts = await deps.hooks.command(expanded, { session, project, name, arguments: typed })
  return {
    ...input,
    parts: input.parts.flatMap((part) => (part === command ? parts : [part])),
    ...(agent !== null && { agent }),
    ...(model !== null && { model }),
  }
}

/** Only Docket may write notices: a synthetic text of a client is marked as added by the client. */
function asOfClient(part: PromptPart): PromptPart {
  if (part.type !== "text") return part
  const { type, text, synthetic } = part
  return synthetic === true ? { type, text, synthetic, addedBy: "client" } : { type, text }
}

/** What the prompt says of its answer. @throws invalid_input */
async function checkAnswer({ parts, outputSchema, noReply = false }: PromptInput): Promise<void> {
  const command = parts.find((part) => part.type === "command")?.name
  const withoutAnswer = ["compact", "shell"]
  if (outputSchema !== undefined && command !== undefined && withoutAnswer.includes(command))
    throw new DocketError(
      "invalid_input",
      `/${command} gets no answer that a schema could hold. Leave one of them out.`,
    )
  if (noReply && (outputSchema !== undefined || parts.some(({ type }) => type === "command" || type === "subtask")))
    throw new DocketError(
      "invalid_input",
      "A prompt with noReply only adds a message: it takes no command, no task and no output schema.",
    )
  if (outputSchema !== undefined) await assertSchema(outputSchema)
}

/** @throws invalid_input, prompt_too_large */
function checkContent(input: PromptInput): void {
  if (input.parts.every((part) => part.type === "text" && part.text.trim() === "")) {
    throw new DocketError("invalid_input", "The prompt is empty. Write what is to be done.")
  }
  if (input.parts.length > maxPromptParts) {
    throw new DocketError(
      "prompt_too_large",
      `The prompt has ${input.parts.length} parts and the most is ${maxPromptParts}. Name a directory instead of its files.`,
    )
  }
  const bytes = input.parts.reduce((sum, part) => sum + (part.type === "text" ? Buffer.byteLength(part.text) : 0), 0)
  if (bytes <= maxPromptBytes) return
  throw new DocketError(
    "prompt_too_large",
    `The prompt has ${bytes} bytes and the most is ${maxPromptBytes} (1 MB). Put the text into a file of the project and name the file.`,
  )
}
