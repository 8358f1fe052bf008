import { randomUUID } from "node:crypto"
import type { AgentContext } from "@agentclientprotocol/sdk/unstable"
import type { DocketClient, FeedItem } from "@docket/client"
import type { EditorAnswer, EditorAsk, EditorReader } from "@docket/core/schema"
import type { EditorCapabilities } from "./editor-capabilities.ts"
import { createEditorTerminals } from "./editor-terminals.ts"

interface EditorAsksDeps {
  docket: DocketClient
  editor: AgentContext
  capabilities: Pick<EditorCapabilities, "readsFiles" | "runsCommands">
  sessionID: string
  /** What is not saved of a file; null when all of it is. */
  unsavedText(path: string): Promise<string | null>
  /** The session in which the editor shows a session of the tree. */
  shownIn(sessionID: string): string
  /** The call of the part shows the terminal from now on. */
  showTerminal(sessionID: string, partID: string, terminalId: string): Promise<void>
  log(text: string): void
}

/** Lets the service ask the editor: for texts that it has not saved, and to run commands in its terminal. */
export interface EditorAnswers {
  /** What the service is told of the editor; undefined when it can do neither. */
  reader: EditorReader | undefined
  item(item: FeedItem): void
  /** Ends the commands that run in the editor. */
  close(): void
}

export function answerEditorAsks(deps: EditorAsksDeps): EditorAnswers {
  const { docket, capabilities, sessionID, log } = deps
  const terminals = createEditorTerminals(deps.editor)
  const { readsFiles, runsCommands: hasTerminal } = capabilities

  async function answerTo(askID: string, ask: EditorAsk): Promise<EditorAnswer> {
    if (ask.kind === "read") return { kind: "text", text: await deps.unsavedText(ask.path) }
    return terminals.run(askID, ask, {
      sessionId: deps.shownIn(ask.sessionID),
      show: (terminalId) => deps.showTerminal(ask.sessionID, ask.partID, terminalId),
    })
  }

  async function answer(askID: string, ask: EditorAsk): Promise<void> {
    try {
      await docket.editor.answer.mutate({ sessionID, askID, answer: await answerTo(askID, ask) })
    } catch (error) {
      log(`the service was not told what the editor has: ${String(error)}`)
    }
  }

  return {
    reader: readsFiles || hasTerminal ? { id: randomUUID(), hasTerminal } : undefined,
    item(item) {
      if (item.type === "editor.asked") void answer(item.properties.askID, item.properties.ask)
      if (item.type === "editor.withdrawn") {
        terminals
          .end(item.properties.askID)
          .catch((error: unknown) => log(`a command in the terminal was not ended: ${String(error)}`))
      }
    },
    close: () => void terminals.close(),
  }
}
