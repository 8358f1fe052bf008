import { AlreadyMadeError, StaleTurnError, UnknownTreeError } from "../../error/docket-error.ts"
import { claimedTurn, hasToWait } from "../claimed-turn.ts"
import { type NewRow, newRows } from "../new-rows.ts"
import type { Change, Mutation, TreeBatch, WriteStore } from "../port/index.ts"
import { applyMutation } from "./apply-mutation.ts"
import { reserveNumbers, type Tables, treeLog } from "./tables.ts"
import { createUndoLog } from "./undo-log.ts"

export function inMemoryWrite(tables: Tables): WriteStore {
  const commit = (batches: TreeBatch[]): Change[] => {
    requireTrees(tables, batches)
    for (const { fence, fresh, onlyNew, mutations } of batches) {
      if (fresh !== undefined && (tables.sessions.has(fresh) || tables.turns.has(fresh)))
        throw new AlreadyMadeError(fresh)
      if (onlyNew) requireNew(tables, mutations)
      if (fence && tables.turns.get(fence.turnID)?.epoch !== fence.epoch) throw new StaleTurnError(fence.turnID)
    }
    const undo = createUndoLog()
    const changes: Change[] = []
    try {
      for (const { rootID, mutations } of batches) {
        for (const mutation of mutations) {
          const seq = (tables.heads.get(rootID) ?? 0) + 1
          const change = applyMutation({ tables, undo, rootID, seq }, mutation)
          if (change !== null) changes.push(change)
          undo.set(tables.heads, rootID, seq)
        }
      }
    } catch (error) {
      undo.undo()
      throw error
    }
    for (const change of changes) {
      const log = treeLog(tables, change.rootID)
      if (change.kind === "session.removed" && change.sessionID === change.rootID) log.clear()
      log.append(Object.freeze(change))
    }
    return changes
  }
  return {
    commit: async (batches) => commit(batches),
    async claimTurn(turnID, now, owner) {
      const turn = tables.turns.get(turnID)
      const value = turn ? claimedTurn(turn, now, owner) : null
      if (!turn || !value) return null
      const open = [...tables.openTurns.values()].filter(({ sessionID }) => sessionID === turn.sessionID)
      if (hasToWait(turn, open, now)) return null
      return commit([{ rootID: value.rootID, mutations: [{ kind: "turn", value }] }])[0] ?? null
    },
    async closePermission(id, { replied, ...end }) {
      const request = tables.pendingPermissions.get(id)
      if (!request) return null
      const value = { ...request, ...end, time: { ...request.time, replied } }
      return commit([{ rootID: value.rootID, mutations: [{ kind: "permission", value }] }])[0] ?? null
    },
    async reserveTodoNumbers(count) {
      return reserveNumbers(tables, "todo", count)
    },
  }
}

/** @throws AlreadyMadeError */
function requireNew(tables: Tables, mutations: readonly Mutation[]): void {
  const known: Record<NewRow["table"], { has(id: string): boolean }> = {
    Session: tables.sessions,
    Message: tables.messages,
    Part: tables.parts,
    Todo: new Set([...tables.tenantTodos.keys(), ...[...tables.todos.values()].flat().map(({ id }) => id)]),
    TodoChange: tables.todoChanges,
    Turn: tables.turns,
    Task: tables.tasks,
    ReviewThread: tables.threads,
    ReviewComment: tables.comments,
    ReviewVerdict: tables.verdicts,
    ReviewViewed: tables.viewed,
    PermissionRequest: tables.permissions,
  }
  for (const { table, id } of newRows(mutations)) if (known[table].has(id)) throw new AlreadyMadeError(id)
}

function requireTrees(tables: Tables, batches: TreeBatch[]): void {
  const created = new Set<string>()
  for (const { rootID, mutations } of batches) {
    const [first] = mutations
    const isNew = !tables.heads.has(rootID) && first?.kind === "session" && first.value.id === rootID
    if (isNew) created.add(rootID)
    if (!created.has(rootID) && !tables.sessions.has(rootID)) throw new UnknownTreeError(rootID)
  }
}
