import {
  type ClientApp,
  client,
  methods,
  type PermissionOption,
  type PermissionOptionKind,
  RequestError,
  type RequestPermissionResponse,
} from "@agentclientprotocol/sdk/unstable"
import type { ProgramCommand } from "@docket/core/agent-programs"
import { orAborted } from "@docket/core/or-aborted"
import type { AgentSession, AgentSessions } from "./agent-sessions.ts"
import { shellWords } from "./described-call.ts"
import { ToolChange } from "./session-update.ts"

interface ClientDeps {
  sessions: AgentSessions
  /** Aborts when the prompt that is being answered is to stop. */
  stopping(): AbortSignal
}

/** What an agent may ask of Docket. */
export function createClientSide(deps: ClientDeps): ClientApp {
  const app = client({ name: "docket" })
  addPermission(app, deps)
  addFiles(app, deps)
  addTerminals(app, deps)
  return app
}

/** Failures as errors that an agent reads. */
async function answering<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RequestError) throw error
    throw new RequestError(-32603, error instanceof Error ? error.message : String(error))
  }
}

function addPermission(app: ClientApp, { sessions, stopping }: ClientDeps): void {
  app.onRequest(methods.client.session.requestPermission, ({ params }) =>
    answering(async () => {
      const session = sessions.get(params.sessionId)
      const change = ToolChange.safeParse(params.toolCall)
      if (!change.success) throw RequestError.invalidParams(undefined, "the call cannot be read")
      const callID = session.call(change.data)
      const signal = stopping()
      const isAllowed = await orAborted(session.desk.ask(callID), signal).catch(() => false)
      if (signal.aborted) return cancelled
      return chosen(params.options, isAllowed ? allowing : rejecting)
    }),
  )
}

const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } }

/** Docket keeps what is allowed always, so that its rules are asked each time. */
const allowing = ["allow_once", "allow_always"] as const
const rejecting = ["reject_once", "reject_always"] as const

function chosen(
  options: readonly PermissionOption[],
  kinds: readonly PermissionOptionKind[],
): RequestPermissionResponse {
  for (const kind of kinds) {
    const option = options.find((one) => one.kind === kind)
    if (option !== undefined) return { outcome: { outcome: "selected", optionId: option.optionId } }
  }
  return cancelled
}

function addFiles(app: ClientApp, { sessions }: ClientDeps): void {
  app
    .onRequest(methods.client.fs.readTextFile, ({ params: { sessionId, path, line, limit } }) =>
      answering(async () => {
        const { desk } = sessions.get(sessionId)
        return { content: await desk.read({ path, line: line ?? null, limit: limit ?? null }) }
      }),
    )
    .onRequest(methods.client.fs.writeTextFile, ({ params: { sessionId, path, content } }) =>
      answering(async () => {
        await sessions.get(sessionId).desk.write({ path, content })
        return {}
      }),
    )
}

/** Commands of a conversation that are known at once. */
const mostCommands = 200

function addTerminals(app: ClientApp, { sessions }: ClientDeps): void {
  const limits = new Map<string, number>()
  app
    .onRequest(methods.client.terminal.create, ({ params }) =>
      answering(() => {
        const { desk, commands } = sessions.get(params.sessionId)
        if (commands.size >= mostCommands) throw new Error("Too many terminals are open. Release some.")
        const command = desk.run({ script: scriptOf(params), directory: params.cwd ?? null })
        commands.set(command.id, command)
        if (params.outputByteLimit != null) limits.set(command.id, params.outputByteLimit)
        return { terminalId: command.id }
      }),
    )
    .onRequest(methods.client.terminal.output, ({ params: { sessionId, terminalId } }) =>
      answering(() => {
        const command = terminal(sessions.get(sessionId), terminalId)
        const { text, isCut } = command.output()
        const kept = lastBytes(text, limits.get(terminalId) ?? Number.POSITIVE_INFINITY)
        const end = command.end()
        return {
          output: kept,
          truncated: isCut || kept !== text,
          ...(end && { exitStatus: { exitCode: end.exit, signal: end.signal } }),
        }
      }),
    )
    .onRequest(methods.client.terminal.waitForExit, ({ params: { sessionId, terminalId } }) =>
      answering(async () => {
        const { exit, signal } = await terminal(sessions.get(sessionId), terminalId).ended
        return { exitCode: exit, signal }
      }),
    )
    .onRequest(methods.client.terminal.kill, ({ params: { sessionId, terminalId } }) =>
      answering(() => {
        terminal(sessions.get(sessionId), terminalId).kill()
        return {}
      }),
    )
    .onRequest(methods.client.terminal.release, ({ params: { sessionId, terminalId } }) =>
      answering(() => {
        const session = sessions.get(sessionId)
        terminal(session, terminalId).kill()
        session.commands.delete(terminalId)
        limits.delete(terminalId)
        return {}
      }),
    )
}

function terminal({ commands }: AgentSession, id: string): ProgramCommand {
  const command = commands.get(id)
  if (command === undefined) throw RequestError.invalidParams(undefined, `there is no terminal ${id}`)
  return command
}

interface WantedCommand {
  command: string
  args?: readonly string[] | undefined
  env?: readonly { name: string; value: string }[] | undefined
}

/** What a shell runs. An agent that names no arguments means a line for a shell. */
function scriptOf({ command, args = [], env = [] }: WantedCommand): string {
  const set = env.map(({ name, value }) => {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw RequestError.invalidParams(undefined, `no variable is called ${name}`)
    return `${name}=${value}`
  })
  const line = args.length === 0 ? command : shellWords([command, ...args])
  return set.length === 0 ? line : `export ${shellWords(set)}; ${line}`
}

function lastBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return text
  // A cut within a character shows as a replacement character, which is taken away.
  return bytes
    .subarray(bytes.length - limit)
    .toString("utf8")
    .replace(/^\uFFFD+/, "")
}
