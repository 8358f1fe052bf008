import { recordPorts, type Store } from "@docket/core/store"
import type { Database } from "../sql/database.ts"
import { claimTurn } from "../tree/claim-turn.ts"
import { closePermission } from "../tree/close-permission.ts"
import { commit } from "../tree/commit.ts"
import { changesSince } from "../tree/feed.ts"
import type { Scope } from "../tree/scope.ts"
import { head, heads } from "../tree/tree-sequence.ts"
import { auditStore } from "./audit.ts"
import { reserveNumbers } from "./counters.ts"
import { memoryStore } from "./memories.ts"
import { permissionStore } from "./permissions.ts"
import { recordStore } from "./records.ts"
import { reviewStore } from "./reviews.ts"
import { scheduleStore } from "./schedules.ts"
import { searchStore } from "./search.ts"
import { sessionStore } from "./sessions.ts"
import { shareCopyStore } from "./share-copies.ts"
import type { StoreScope } from "./store-scope.ts"
import { taskStore } from "./tasks.ts"
import { todoStore } from "./todos.ts"
import { transcriptStore } from "./transcript.ts"
import { treeStore } from "./trees.ts"
import { turnStore } from "./turns.ts"
import { webhookStore } from "./webhooks.ts"

/** The store of one tenant on an open database. Closing it does not close the database. */
export function createStore({ read, write, dialect }: Database, tenant: Omit<Scope, "dialect">): Store {
  const scope: StoreScope = { ...tenant, dialect, read, write }
  const records = recordStore(scope)
  return {
    ...recordPorts(records),
    records,
    write: {
      async commit(batches) {
        const changes = await write({ program: () => commit(scope, batches) })
        scope.lists.committed(scope.tenantID, changes)
        return changes
      },
      claimTurn: (turnID, now, owner) => write({ program: () => claimTurn(scope, turnID, now, owner) }),
      closePermission: (id, closed) => write({ program: () => closePermission(scope, id, closed) }),
      reserveTodoNumbers: (count) => reserveNumbers(scope, "todo", count),
    },
    feed: {
      head: (rootID) => read({ program: () => head(scope, rootID) }),
      heads: (rootIDs) => read({ program: () => heads(scope, rootIDs) }),
      changesSince: (rootID, seq, limit) => read({ program: () => changesSince(scope, rootID, seq, limit) }),
    },
    session: sessionStore(scope),
    tree: treeStore(scope),
    transcript: transcriptStore(scope),
    search: searchStore(scope),
    todo: todoStore(scope),
    permission: permissionStore(scope, records),
    turn: turnStore(scope),
    shareCopy: shareCopyStore(scope),
    audit: auditStore(scope, records),
    task: taskStore(scope),
    memory: memoryStore(scope, records),
    review: reviewStore(scope, records),
    schedule: scheduleStore(scope, records),
    webhook: webhookStore(scope, records),
    close: async () => {},
  }
}
