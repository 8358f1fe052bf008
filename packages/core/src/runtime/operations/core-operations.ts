import type { AuditEntry } from "../../ground/schema/index.ts"
import { seenEntries } from "../seen-entries.ts"
import { agentOperations, commandOperations } from "./agent-operations.ts"
import { attachmentOperations } from "./attachment-operations.ts"
import { changesOperations } from "./changes-operations.ts"
import { configOperations } from "./config-operations.ts"
import { credentialOperations } from "./credential-operations.ts"
import { editorOperations } from "./editor-operations.ts"
import { extensionOperations } from "./extension-operations.ts"
import { lspOperations } from "./lsp-operations.ts"
import { memoryOperations } from "./memory-operations.ts"
import { inner } from "./operation.ts"
import { permissionOperations, questionOperations } from "./permission-operations.ts"
import { planOperations } from "./plan-operations.ts"
import { presenceOperations } from "./presence-operations.ts"
import { projectOperations } from "./project-operations.ts"
import { providerOperations } from "./provider-operations.ts"
import { reviewOperations } from "./review-operations.ts"
import { scheduleOperations } from "./schedule-operations.ts"
import { searchOperations } from "./search-operations.ts"
import { sessionChangeOperations } from "./session-change-operations.ts"
import { sessionListOperations } from "./session-list-operations.ts"
import { sessionPromptOperations } from "./session-prompt-operations.ts"
import { sessionStartOperations } from "./session-start-operations.ts"
import { sessionTranscriptOperations } from "./session-transcript-operations.ts"
import { sessionTreeOperations } from "./session-tree-operations.ts"
import { sessionUndoOperations } from "./session-undo-operations.ts"
import { shareOperations } from "./share-operations.ts"
import { taskOperations } from "./task-operations.ts"
import { todoOperations } from "./todo-operations.ts"
import { toolOperations } from "./tool-operations.ts"
import { transferOperations } from "./transfer-operations.ts"
import { webhookOperations } from "./webhook-operations.ts"
import { sandboxOperations, workspaceOperations } from "./workspace-operations.ts"

/** Everything that a caller may ask of the runtime, by area. */
export const coreOperations = {
  session: {
    ...sessionStartOperations,
    ...sessionListOperations,
    ...sessionTreeOperations,
    ...sessionChangeOperations,
    ...sessionPromptOperations,
    ...sessionUndoOperations,
    ...sessionTranscriptOperations,
  },
  credential: credentialOperations,
  search: searchOperations,
  task: taskOperations,
  review: reviewOperations,
  changes: changesOperations,
  todo: todoOperations,
  memory: memoryOperations,
  schedule: scheduleOperations,
  plan: planOperations,
  presence: presenceOperations,
  editor: editorOperations,
  share: shareOperations,
  transfer: transferOperations,
  attachment: attachmentOperations,
  permission: permissionOperations,
  question: questionOperations,
  agent: agentOperations,
  command: commandOperations,
  tool: toolOperations,
  webhook: webhookOperations,
  project: projectOperations,
  provider: providerOperations,
  config: configOperations,
  lsp: lspOperations,
  extension: extensionOperations,
  sandbox: sandboxOperations,
  workspace: workspaceOperations,
  audit: {
    /**
     * Entries of the audit log as the caller sees them. Entries about a private session of somebody else do not name
     * it, and a search for a `text` that is only in that name does not find them.
     */
    seen: inner({
      run: async (
        _,
        { entries, text }: { entries: readonly AuditEntry[]; text: string | undefined },
        { visibility },
      ) => (visibility === null ? [...entries] : seenEntries(visibility, entries, text)),
    }),
  },
}
export type CoreOperations = typeof coreOperations
