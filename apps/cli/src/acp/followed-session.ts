import {
  type AgentContext,
  type ContentBlock,
  methods,
  type PromptResponse,
  RequestError,
} from "@agentclientprotocol/sdk/unstable"
import type { DocketClient, FeedItem, PermissionRequest, Project, Session } from "@docket/client"
import { followTree } from "../session-tree.ts"
import { allMessages } from "./all-messages.ts"
import { answerEditorAsks } from "./answer-editor-asks.ts"
import { createEditorAsks } from "./ask-editor.ts"
import { availableCommands } from "./available-commands.ts"
import type { Choices } from "./config-options.ts"
import type { EditorCapabilities } from "./editor-capabilities.ts"
import { createEditorTurns } from "./editor-turns.ts"
import type { Frame } from "./frame.ts"
import { type ReadPicture, withPictures } from "./pictures.ts"
import { readPrompt } from "./read-prompt.ts"
import { requestError } from "./request-error.ts"
import { stopReason } from "./stop-reason.ts"
import { createTreeUpdates } from "./tree-updates.ts"
import { readUndoCommand, runUndoCommand } from "./undo-command.ts"
import { unsavedText } from "./unsaved-text.ts"

export interface FollowDeps {
  docket: DocketClient
  editor: AgentContext
  capabilities: EditorCapabilities
  /** The service works on the files of this machine. */
  isLocal: boolean
  project: Project
  choices: Choices
  readPicture: ReadPicture
  log(text: string): void
}

/** A session that is open in the editor, which hears of all that happens in it and below it. */
export interface FollowedSession {
  docket: DocketClient
  choices: Choices
  /** The session as it is now. */
  session(): Session
  /** Sends the whole transcript. */
  replay(): Promise<void>
  /** Sends what else the editor shows, and all that happens, once the request that is being handled is answered. */
  begin(): void
  /** Sends a prompt, and answers when its work has ended and all of it was told. @throws RequestError */
  prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse>
  /** Stops the session's work with everything below it. */
  cancel(): Promise<void>
  /** Ends the task of a session below this one; false when there is none. */
  cancelBelow(sessionID: string): Promise<boolean>
  /** Stops the work if this editor has begun it. */
  stopOwn(): Promise<void>
  /** Follows the session no more. */
  leave(): void
}

const missed = new RequestError(
  -32_603,
  "Docket could not be reached while this was done. Load the session again to see what came of it.",
)

/** Follows a session for an editor. */
export async function followSession(deps: FollowDeps, sessionID: string): Promise<FollowedSession> {
  const { docket, editor, capabilities, isLocal, project, choices, readPicture, log } = deps

  const begun = Promise.withResolvers<void>()
  let queue = begun.promise
  const enqueue = (work: () => Promise<void>) => {
    queue = queue.then(work).catch((error: unknown) => log(`the editor missed something: ${String(error)}`))
  }
  const send = async (frames: readonly Frame[]) => {
    for (const frame of frames)
      await editor.notify(methods.client.session.update, await withPictures(frame, readPicture))
  }

  const turns = createEditorTurns({ docket, sessionID, enqueue })
  const asks = createEditorAsks({
    docket,
    ask: (request, cancellationSignal) =>
      editor.request(methods.client.session.requestPermission, request, {
        cancellationSignal,
        stopWaitingOnCancel: true,
      }),
    mustAnswer: turns.isWorking,
    log,
  })

  const ask = (request: PermissionRequest) => {
    const shown = updates.shown(request.sessionID)
    if (shown === null) return
    const { sessionId: shownIn, below: asker } = shown
    asks.add({
      request,
      shownIn,
      asker,
      toolCallId: updates.toolCallId(request),
      root: updates.rootOf(request.sessionID),
    })
  }

  const readInEditor = async (path: string) =>
    (await editor.request(methods.client.fs.readTextFile, { sessionId: sessionID, path })).content

  const unsaved = async (path: string) => (capabilities.readsFiles ? await unsavedText(path, readInEditor) : null)

  // The files of another machine are not those that the editor has.
  const can = isLocal ? capabilities : { readsFiles: false, runsCommands: false }
  const answers = answerEditorAsks({
    ...{ docket, editor, sessionID, log, capabilities: can, unsavedText: unsaved },
    shownIn: (id) => updates.shown(id)?.sessionId ?? sessionID,
    showTerminal: (id, partID, terminalId) => send(updates.terminal(id, partID, terminalId)),
  })

  /** The transcripts that the editor shows: the opened one first, then those of its children where it has some. */
  const replay = async () => {
    const ids = Object.keys(tree.get().sessions).filter((id) => id !== sessionID && updates.shown(id) !== null)
    for (const id of [sessionID, ...(capabilities.hasSubagents ? ids : [])]) {
      await send(updates.messages(id, await allMessages(docket, id)))
    }
  }

  /** What stands beside the transcripts, and what waits for an answer. */
  const sendStanding = async () => {
    await send(updates.standing())
    for (const request of Object.values(tree.get().permissions)) ask(request)
  }

  const tree = await followTree(docket, sessionID, {
    enqueue,
    editor: answers.reader,
    async onItem(item: FeedItem) {
      turns.note(item)
      await send(updates.item(item))
      answers.item(item)
      if (item.type === "permission.asked") ask(item.properties.request)
      if (item.type === "permission.replied") asks.answered(item.properties.request)
      turns.end(item)
    },
    async onMissed() {
      await replay()
      await sendStanding()
      const { turns: open } = tree.get()
      turns.lose(missed, (id) => open[id] === undefined)
    },
    onGone: (reason) => turns.lose(requestError(reason, log), () => true),
  })
  const session = () => {
    const found = tree.get().sessions[sessionID]
    if (found === undefined) throw RequestError.sessionNotFound(sessionID)
    return found
  }
  const updates = createTreeUpdates({
    opened: session(),
    worktree: project.worktree,
    choices,
    capabilities,
    tree: tree.get,
    isOfEditor: turns.has,
  })

  const sendCommands = async () => {
    const update = {
      sessionUpdate: "available_commands_update" as const,
      ...(await availableCommands(docket, project.id)),
    }
    await send([{ sessionId: sessionID, update }])
  }

  const promptDeps = {
    docket,
    projectID: project.id,
    directory: project.directory,
    unsavedText: unsaved,
  }

  return {
    docket,
    choices,
    session,
    replay,
    begin() {
      enqueue(sendCommands)
      enqueue(sendStanding)
      // The answer is written before.
      setImmediate(begun.resolve)
    },
    async prompt(blocks) {
      const command = await readUndoCommand(docket, project.id, blocks)
      if (command === null) return { stopReason: stopReason(await turns.run(() => readPrompt(promptDeps, blocks))) }
      const text = await runUndoCommand(docket, sessionID, command)
      const update = { sessionUpdate: "agent_message_chunk" as const, content: { type: "text" as const, text } }
      await send([{ sessionId: sessionID, update }])
      return { stopReason: "end_turn" }
    },
    cancel: turns.stop,
    async cancelBelow(childID) {
      const task = Object.values(tree.get().tasks).find(
        ({ sessionID: child, state }) => child === childID && (state === "queued" || state === "running"),
      )
      if (task === undefined || updates.shown(childID) === null) return false
      await docket.task.cancel.mutate({ taskID: task.id })
      return true
    },
    stopOwn: turns.stopOwn,
    leave() {
      answers.close()
      asks.close()
      tree.close()
    },
  }
}
