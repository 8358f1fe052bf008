import { type AgentApp, type AgentContext, agent, methods, RequestError } from "@agentclientprotocol/sdk/unstable"
import type { Connected } from "../connect/connect.ts"
import { settingsChange } from "./config-options.ts"
import type { FollowedSession } from "./followed-session.ts"
import { initializeResponse, loginMethod } from "./initialize.ts"
import { listSessions } from "./list-sessions.ts"
import type { OpenSessions } from "./open-sessions.ts"
import { openProjectOfEditor } from "./project-of-editor.ts"
import { requestError } from "./request-error.ts"
import type { ServiceOfEditor } from "./service-of-editor.ts"
import { changeSettings, sessionSettings } from "./session-settings.ts"

export interface AcpAgentDeps {
  service: ServiceOfEditor
  sessions: OpenSessions
  /** The project of a team's server that the user named. */
  project: string | undefined
  /** Where a service is started when a request names no directory. */
  directory: string
  log(text: string): void
}

/** Docket as an agent of the Agent Client Protocol, version 1. */
export function createAcpAgent(deps: AcpAgentDeps): AgentApp {
  const app = agent({ name: "docket" })
  addSetup(app, deps)
  addOpening(app, deps)
  addWork(app, deps)
  return app
}

/** Makes the failures of a handler errors whose words an editor shows. */
function answering<Context, Answer>(
  { log }: Pick<AcpAgentDeps, "log">,
  answer: (context: Context) => Promise<Answer>,
): (context: Context) => Promise<Answer> {
  return (context) =>
    answer(context).catch((error: unknown) => {
      throw requestError(error, log)
    })
}

function addSetup(app: AgentApp, deps: AcpAgentDeps): void {
  const { service, sessions, directory } = deps
  app
    .onRequest(methods.agent.initialize, ({ params }) => {
      sessions.setCapabilities(params.clientCapabilities)
      return initializeResponse
    })
    .onRequest(
      methods.agent.authenticate,
      answering(deps, async ({ params }) => {
        if (params.methodId !== loginMethod) throw RequestError.invalidParams(undefined, `there is only ${loginMethod}`)
        const { client } = await service.connect(directory)
        await client.me.get.query()
      }),
    )
    .onRequest(
      methods.agent.session.list,
      answering(deps, async ({ params }) => {
        const { client } = await service.connect(params.cwd ?? directory)
        return listSessions(client, params)
      }),
    )
}

interface Wanted {
  sessionID: string
  mcpServers?: readonly { name: string }[] | undefined
}

function addOpening(app: AgentApp, deps: AcpAgentDeps): void {
  const { service, sessions, project: named, log } = deps

  async function open(editor: AgentContext, connected: Connected, wanted: Wanted): Promise<FollowedSession> {
    const { sessionID, mcpServers = [] } = wanted
    if (mcpServers.length > 0) {
      const names = mcpServers.map(({ name }) => name).join(", ")
      log(`MCP servers of the editor are not used: ${names}. Add them to Docket with docket mcp add`)
    }
    const { client } = connected
    const { projectID } = await client.session.get.query({ sessionID })
    const project = await client.project.get.query({ projectID })
    return await sessions.open(connected, editor, { sessionID, project })
  }

  /** The answer to a request that opened a session. What else is to be told follows it. */
  function opened({ begin, session, choices }: FollowedSession) {
    begin()
    return sessionSettings(choices, session())
  }

  app
    .onRequest(
      methods.agent.session.new,
      answering(deps, async ({ params: { cwd, mcpServers }, client: editor }) => {
        const connected = await service.connect(cwd)
        const { id: projectID } = await openProjectOfEditor(connected, cwd, named)
        const { id: sessionID } = await connected.client.session.create.mutate({ projectID })
        return { sessionId: sessionID, ...opened(await open(editor, connected, { sessionID, mcpServers })) }
      }),
    )
    .onRequest(
      methods.agent.session.load,
      answering(deps, async ({ params: { cwd, sessionId: sessionID, mcpServers }, client: editor }) => {
        const session = await open(editor, await service.connect(cwd), { sessionID, mcpServers })
        await session.replay()
        return opened(session)
      }),
    )
    .onRequest(
      methods.agent.session.resume,
      answering(deps, async ({ params: { cwd, sessionId: sessionID, mcpServers }, client: editor }) =>
        opened(await open(editor, await service.connect(cwd), { sessionID, mcpServers })),
      ),
    )
    .onRequest(
      methods.agent.session.fork,
      answering(deps, async ({ params: { cwd, sessionId, mcpServers }, client: editor }) => {
        const connected = await service.connect(cwd)
        const { id: sessionID } = await connected.client.session.fork.mutate({ sessionID: sessionId })
        return { sessionId: sessionID, ...opened(await open(editor, connected, { sessionID, mcpServers })) }
      }),
    )
}

function addWork(app: AgentApp, deps: AcpAgentDeps): void {
  const { sessions, log } = deps

  const stop = (sessionID: string) =>
    sessions.cancel(sessionID).catch((error: unknown) => log(`the work was not stopped: ${String(error)}`))

  app
    .onRequest(
      methods.agent.session.prompt,
      answering(deps, async ({ params: { sessionId, prompt }, signal }) => {
        const session = sessions.get(sessionId)
        const onAbort = () => void stop(sessionId)
        signal.addEventListener("abort", onAbort, { once: true })
        return await session.prompt(prompt).finally(() => signal.removeEventListener("abort", onAbort))
      }),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => stop(params.sessionId))
    .onRequest(
      methods.agent.session.close,
      answering(deps, async ({ params: { sessionId } }) => {
        sessions.get(sessionId)
        await sessions.close(sessionId)
      }),
    )
    .onRequest(
      methods.agent.session.setMode,
      answering(deps, async ({ params: { sessionId, modeId } }) => {
        const { docket } = sessions.get(sessionId)
        await changeSettings(docket, sessionId, { agent: modeId })
      }),
    )
    .onRequest(
      methods.agent.session.setConfigOption,
      answering(deps, async ({ params: { sessionId, configId, value } }) => {
        const { docket, choices } = sessions.get(sessionId)
        const session = await changeSettings(docket, sessionId, settingsChange(configId, value))
        return { configOptions: sessionSettings(choices, session).configOptions }
      }),
    )
}
