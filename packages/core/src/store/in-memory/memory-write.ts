import { StaleTurnError, UnknownTreeError } from "../../error/docket-error.ts"
import { claimedTurn } from "../claimed-turn.ts"
import type { Change, TreeBatch, WriteStore } from "../port.ts"
import { applyMutation } from "./apply-mutation.ts"
import { createJournal } from "./journal.ts"
import { type MemoryState, reserveNumbers, treeLog } from "./memory-state.ts"

export function createMemoryWrite(state: MemoryState): WriteStore {
  const commit = (batches: TreeBatch[]): Change[] => {
    requireTrees(state, batches)
    for (const { fence } of batches) {
      if (fence && state.turns.get(fence.turnID)?.epoch !== fence.epoch) throw new StaleTurnError(fence.turnID)
    }
    const journal = createJournal()
    const changes: Change[] = []
    try {
      for (const { rootID, mutations } of batches) {
        for (const mutation of mutations) {
          const seq = (state.heads.get(rootID) ?? 0) + 1
          changes.push(applyMutation({ state, journal, rootID, seq }, mutation))
          journal.set(state.heads, rootID, seq)
        }
      }
    } catch (error) {
      journal.undo()
      throw error
    }
    for (const change of changes) {
      const log = treeLog(state, change.rootID)
      if (change.kind === "session.removed" && change.sessionID === change.rootID) log.clear()
      log.append(Object.freeze(change))
    }
    return changes
  }
  return {
    commit: async (batches) => commit(batches),
    async claimTurn(turnID, now) {
      const turn = state.turns.get(turnID)
      const value = turn ? claimedTurn(turn, now) : null
      if (!value) return null
      return commit([{ rootID: value.rootID, mutations: [{ kind: "turn", value }] }])[0] ?? null
    },
    async reserveTodoNumbers(count) {
      return reserveNumbers(state, "todo", count)
    },
  }
}

function requireTrees(state: MemoryState, batches: TreeBatch[]): void {
  const created = new Set<string>()
  for (const { rootID, mutations } of batches) {
    const [first] = mutations
    const isNew = !state.heads.has(rootID) && first?.kind === "session" && first.value.id === rootID
    if (isNew) created.add(rootID)
    if (!created.has(rootID) && !state.sessions.has(rootID)) throw new UnknownTreeError(rootID)
  }
}
