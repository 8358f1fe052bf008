import { type AgentContext, type ClientCapabilities, RequestError } from "@agentclientprotocol/sdk/unstable"
import type { Project } from "@docket/client"
import type { Connected } from "../connect/connect.ts"
import { editorCapabilities } from "./editor-capabilities.ts"
import { type FollowedSession, followSession } from "./followed-session.ts"
import { loadChoices } from "./load-choices.ts"
import { pictureReader } from "./pictures.ts"

interface OpenSessionsDeps {
  /** Commands are to run in the editor's terminal. */
  wantsTerminal: boolean
  log(text: string): void
}

/** The sessions that are open in an editor, by id. */
export interface OpenSessions {
  /** What the editor can do counts for the sessions that are opened afterwards. */
  setCapabilities(given: ClientCapabilities | undefined): void
  /** Follows a session. One that is open already is opened anew. */
  open(service: Connected, editor: AgentContext, at: { project: Project; sessionID: string }): Promise<FollowedSession>
  /** @throws RequestError when the session is not open */
  get(sessionID: string): FollowedSession
  /** Stops a session that is open or below one. */
  cancel(sessionID: string): Promise<void>
  /** Stops what the editor has begun in the session, and follows it no more. */
  close(sessionID: string): Promise<void>
  /** Follows none any more. What the editor has begun goes on. */
  leave(): void
}

export function createOpenSessions({ wantsTerminal, log }: OpenSessionsDeps): OpenSessions {
  const sessions = new Map<string, FollowedSession>()
  let capabilities = editorCapabilities(undefined, wantsTerminal)

  return {
    setCapabilities(given) {
      capabilities = editorCapabilities(given, wantsTerminal)
      if (wantsTerminal && !capabilities.runsCommands)
        log("the editor has no terminal for commands: they run in Docket's sandbox")
    },
    async open(service, editor, { project, sessionID }) {
      const { client, isRemote } = service
      sessions.get(sessionID)?.leave()
      const choices = await loadChoices(client, project.id)
      const session = await followSession(
        {
          ...{ docket: client, editor, capabilities, isLocal: !isRemote, project, choices, log },
          readPicture: pictureReader(service, sessionID),
        },
        sessionID,
      )
      sessions.set(sessionID, session)
      return session
    },
    get(sessionID) {
      const session = sessions.get(sessionID)
      if (session === undefined) throw RequestError.sessionNotFound(sessionID)
      return session
    },
    async cancel(sessionID) {
      const session = sessions.get(sessionID)
      if (session !== undefined) return session.cancel()
      for (const each of sessions.values()) if (await each.cancelBelow(sessionID)) return
    },
    async close(sessionID) {
      const session = sessions.get(sessionID)
      sessions.delete(sessionID)
      await session?.stopOwn().finally(session.leave)
    },
    leave() {
      for (const session of sessions.values()) session.leave()
    },
  }
}
