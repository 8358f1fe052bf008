import {
  type AuthMethod,
  type ClientContext,
  type InitializeResponse,
  methods,
  type NewSessionResponse,
  RequestError,
} from "@agentclientprotocol/sdk/unstable"
import type { WantedProgram } from "@docket/core/agent-programs"
import type { AgentEntry } from "./agent-entry.ts"
import type { AgentSession, AgentSessions } from "./agent-sessions.ts"
import { chooseSettings } from "./choose-settings.ts"

interface ConversationOptions {
  answer: InitializeResponse
  entry: AgentEntry
  wanted: WantedProgram
  sessions: AgentSessions
  session: AgentSession
}

type Settings = Pick<NewSessionResponse, "modes" | "configOptions">

/** Goes on with the conversation that the agent kept, or begins one, with the mode and model of the entry. */
export async function openConversation(
  agent: ClientContext,
  options: ConversationOptions,
): Promise<{ id: string; begun: "new" | "resumed" }> {
  const { entry, wanted, sessions, session } = options
  const kept = wanted.earlier === null ? null : await resume(agent, wanted.earlier, options)
  if (kept !== null && wanted.earlier !== null) {
    await chooseSettings(agent, wanted.earlier, kept, entry.config)
    return { id: wanted.earlier, begun: "resumed" }
  }
  const begun = await signedIn(agent, options, () =>
    agent.request(methods.agent.session.new, { cwd: wanted.directory, mcpServers: [] }),
  )
  sessions.add(begun.sessionId, session)
  await chooseSettings(agent, begun.sessionId, begun, entry.config)
  return { id: begun.sessionId, begun: "new" }
}

/** Null when the agent cannot go on with it. */
async function resume(agent: ClientContext, id: string, options: ConversationOptions): Promise<Settings | null> {
  const { answer, wanted, sessions, session } = options
  const { loadSession, sessionCapabilities } = answer.agentCapabilities ?? {}
  const params = { sessionId: id, cwd: wanted.directory, mcpServers: [] }
  const way = sessionCapabilities?.resume
    ? () => agent.request(methods.agent.session.resume, params)
    : loadSession === true
      ? () => agent.request(methods.agent.session.load, params)
      : null
  if (way === null) return null
  sessions.add(id, session)
  // An agent that loads a conversation tells all of it again.
  session.mute(true)
  try {
    return (await signedIn(agent, options, way)) ?? {}
  } catch (error) {
    if (!(error instanceof RequestError) || error.code === authRequired) throw error
    return null
  } finally {
    session.mute(false)
  }
}

const authRequired = -32000

/** Signs in where the agent wants it, and a key in its environment is enough. */
async function signedIn<T>(agent: ClientContext, options: ConversationOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== authRequired) throw error
    const all = options.answer.authMethods ?? []
    const method = all.find(isByKey)
    if (method === undefined) throw new Error(signInWords(all), { cause: error })
    await agent.request(methods.agent.authenticate, { methodId: method.id })
    return await work()
  }
}

/** Whether a method takes a key from the environment. Others open a browser or a terminal, and nobody sits there. */
function isByKey(method: AuthMethod): boolean {
  if ("type" in method && method.type === "terminal") return false
  return /api[-_ ]?key|\bkey\b|environment variable/i.test(`${method.id} ${method.name}`)
}

function signInWords(all: readonly AuthMethod[]): string {
  const names = all.map(({ name }) => name).join(", ")
  return `It wants a sign-in${names === "" ? "" : ` (${names})`}. Give it a key in "env" of its entry, or sign in with it in a terminal and set "sandbox": false, with which it has your home.`
}
