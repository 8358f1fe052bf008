import {
  type ClientContext,
  type ContentBlock,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type StopReason,
} from "@agentclientprotocol/sdk/unstable"
import type {
  OpenedProgram,
  ProgramDesk,
  ProgramEnd,
  ProgramPromptPart,
  WantedProgram,
} from "@docket/core/agent-programs"
import { orAborted } from "@docket/core/or-aborted"
import { createPace } from "@docket/core/pace"
import { createProgramLog, endWords, lastWritten, withLast } from "@docket/core/program-log"
import type { StartedProgram } from "@docket/core/start-program"
import type { Timers } from "@docket/core/timers"
import { agentEntry } from "./agent-entry.ts"
import { agentLaunch, whyOutside } from "./agent-launch.ts"
import { createAgentSession, createAgentSessions } from "./agent-sessions.ts"
import { createByteCount } from "./byte-count.ts"
import { createClientSide } from "./client-side.ts"
import { withReason } from "./failure-reason.ts"
import { frameStream } from "./frame-stream.ts"
import { openConversation } from "./open-conversation.ts"
import { createStableSubagents } from "./stable-subagents.ts"
import { subagentTree } from "./subagent-tree.ts"
import { createSubagents } from "./subagents.ts"
import { usageOf } from "./usage-of.ts"

export interface OpenAgentDeps {
  timers: Timers
}

/** ms that an agent may take until it takes prompts. */
const startMs = 60_000
/** ms that an agent has to answer once it was told to stop. */
const graceMs = 3_000
/** Bytes that an agent may send in one answer. Calls that have not ended are kept whole. */
const mostBytes = 256 * 1024 * 1024
/** Frames of one agent in a second. What it sends beyond waits, so that others have their turn. */
const mostFrames = 1_000

/** Starts an agent and speaks with it. @throws Error with what it wrote last */
export async function openAgent(
  { timers }: OpenAgentDeps,
  wanted: WantedProgram,
  desk: ProgramDesk,
): Promise<OpenedProgram> {
  const { place, name, directory, signal } = wanted
  const entry = agentEntry(place, wanted.agent)
  const launch = await agentLaunch(entry, wanted)
  const outside = await whyOutside(entry, wanted)
  const hidden = Object.entries(entry.config.env ?? {}).filter(([, value]) => value.length >= 8)
  const log = createProgramLog(hidden.map(([label, value]) => ({ label, value })))
  const program = await place.start(launch)
  program.stderr.on("data", (data: Buffer) => log.write(data.toString("utf8")))
  const sessions = createAgentSessions()
  let stopping = signal
  let version: string | null = null
  let follow = (_id: string) => {}
  const received = createByteCount(mostBytes, () =>
    desk.fail(new Error(`${name} sent more than ${mostBytes / 1024 ** 2} MiB in one answer, and was stopped.`)),
  )
  const subagents = createSubagents({
    ...{ sessions, directory, note: log.add },
    facts: () => ({ name, version, outside }),
    cancel: (sessionId) => void connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {}),
    follow: (id) => follow(id),
  })
  const app = createClientSide({ sessions, stopping: () => stopping })
  const connection = app.connect(
    frameStream(program, {
      translate: createStableSubagents().translate,
      pace: createPace(timers, mostFrames),
      onNoise: log.add,
      takes: received.takes,
      onFailure: (error) =>
        desk.fail(
          new Error(`${name} sent what Docket cannot take: ${error instanceof Error ? error.message : error}.`, {
            cause: error,
          }),
        ),
      onNotification(method, params) {
        const isUpdate = method === methods.client.session.update
        if (!isUpdate || !(subagents.receive(params) || sessions.receive(params)))
          log.add(`[Docket] ${method} was left out.`)
      },
    }),
  )
  const end = async () => {
    program.stdin.end()
    await program.end()
    connection.close()
  }
  const explained = (working: Promise<unknown>) =>
    explainedBy(working, { program, name, isSandboxed: outside === null, last: () => lastWritten(log) })

  const late = new AbortController()
  const forget = timers.after(startMs, () =>
    late.abort(new Error(`${name} was not ready within ${startMs / 1_000} s.`)),
  )
  try {
    const starting = AbortSignal.any([signal, late.signal])
    const { agent } = connection
    const conversation = await orAborted(
      explained(
        (async () => {
          const answer = await initialize(agent, wanted)
          const session = createAgentSession(desk, directory)
          return { answer, ...(await openConversation(agent, { answer, entry, wanted, sessions, session })) }
        })(),
      ) as Promise<{ answer: InitializeResponse; id: string; begun: "new" | "resumed" }>,
      starting,
    )
    const { answer, id, begun } = conversation
    version = answer.agentInfo?.version ?? null
    const tree = subagentTree(agent, answer)
    if (tree !== null) {
      follow = (child) => void tree.load(child, directory).catch(() => {})
      await tree.subscribe(id)
    }
    return {
      facts: { name, version, conversation: id, begun, outside },
      takesPictures: answer.agentCapabilities?.promptCapabilities?.image === true,
      async prompt(parts, stop) {
        stopping = stop
        received.reset()
        const asked = explained(
          agent.request(methods.agent.session.prompt, { sessionId: id, prompt: parts.map(blockOf) }),
        ) as Promise<{ stopReason: StopReason; usage?: unknown }>
        try {
          const { stopReason, usage } = await orAborted(asked, stop)
          const end: ProgramEnd = { why: ends[stopReason], tokens: usageOf(usage) }
          subagents.endAll({ ...end, tokens: null })
          return end
        } catch (error) {
          if (!stop.aborted) {
            subagents.endAll(error instanceof Error ? error : new Error(String(error)))
            throw error
          }
          const usage = await cancelled(agent, id, { asked, program, timers })
          subagents.endAll({ why: "stopped", tokens: null })
          return { why: "stopped", tokens: usageOf(usage) }
        }
      },
      end,
    }
  } catch (error) {
    await end()
    throw withLastOf(error, name, lastWritten(log))
  } finally {
    forget()
  }
}

const ends: Record<StopReason, ProgramEnd["why"]> = {
  end_turn: "done",
  cancelled: "stopped",
  refusal: "refused",
  max_tokens: "out of tokens",
  max_turn_requests: "out of steps",
}

function initialize(agent: ClientContext, { mayWrite }: WantedProgram): Promise<InitializeResponse> {
  return agent
    .request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: "docket", title: "Docket", version: "1" },
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: mayWrite }, terminal: true, subagents: {} },
    })
    .then((answer) => {
      if (answer.protocolVersion === PROTOCOL_VERSION) return answer
      throw new Error(`It speaks version ${answer.protocolVersion} of the protocol, and Docket ${PROTOCOL_VERSION}.`)
    })
}

function blockOf(part: ProgramPromptPart): ContentBlock {
  return part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image", mimeType: part.mime, data: part.base64 }
}

/** Tells the agent to stop, and ends it when it does not. Resolves with what the answer used, as far as it tells. */
async function cancelled(
  agent: ClientContext,
  sessionId: string,
  { asked, program, timers }: { asked: Promise<{ usage?: unknown }>; program: StartedProgram; timers: Timers },
): Promise<unknown> {
  await agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {})
  const late = Promise.withResolvers<null>()
  const forget = timers.after(graceMs, () => late.resolve(null))
  const answer = await Promise.race([asked.catch(() => null), late.promise])
  forget()
  if (answer === null) await program.end()
  return answer?.usage
}

/** Says of a failed request how the program ended, where that is the reason. */
async function explainedBy(
  working: Promise<unknown>,
  {
    program,
    name,
    isSandboxed,
    last,
  }: { program: StartedProgram; name: string; isSandboxed: boolean; last(): readonly string[] },
): Promise<unknown> {
  let ended = false
  void program.exited.then(() => {
    ended = true
  })
  try {
    return await working
  } catch (error) {
    // Its output ends a moment before it does.
    if (!(error instanceof RequestError))
      await Promise.race([program.exited, new Promise((done) => setTimeout(done, 500))])
    // What it wrote before it answered is read by then.
    await new Promise((done) => setImmediate(done))
    if (!ended) throw withReason(error, { last: last(), isSandboxed })
    throw new Error(withLast(`${name} ${endWords(await program.ended)}.`, last()), { cause: error })
  }
}

function withLastOf(error: unknown, name: string, last: readonly string[]): unknown {
  if (!(error instanceof Error) || error.name === "AbortError" || error.message.includes("It wrote last:")) return error
  const message = error.message.includes(name) ? error.message : `${name} does not work here: ${error.message}`
  return new Error(withLast(message, last), { cause: error })
}
