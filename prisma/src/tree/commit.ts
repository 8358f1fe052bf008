import type { Session } from "@docket/core/schema"
import type { Change, TreeBatch } from "@docket/core/store"
import { AlreadyMadeError, DocketError, MissingParentError, newRows, StaleTurnError } from "@docket/core/store"
import { insertJobs, number, type Program, query, type TreeJob, text } from "../sql/program.ts"
import type { Numbered } from "./numbered.ts"
import { isRemoval, removeRow } from "./remove-rows.ts"
import type { Scope } from "./scope.ts"
import { type NumberedTree, openTrees, takeNumbers } from "./tree-sequence.ts"
import { writeRows } from "./write-rows.ts"

/** The transaction of `WriteStore.commit`. */
export function* commit(scope: Scope, batches: TreeBatch[]): Program<Change[]> {
  if (batches.length === 0) return []
  yield* openTrees(scope, newTrees(batches))
  const counts = new Map<string, number>()
  for (const { rootID, mutations } of batches) counts.set(rootID, (counts.get(rootID) ?? 0) + mutations.length)
  const trees = yield* takeNumbers(scope, counts)
  // Checked after the trees are locked: a claim takes the same lock, so no epoch can change until the end.
  yield* checkFences(scope, batches)
  yield* checkFresh(scope, batches)
  yield* checkNew(scope, batches)
  const last = new Map([...trees].map(([rootID, { before }]) => [rootID, before]))
  const numbered = batches.flatMap(({ rootID, mutations }) =>
    mutations.map((mutation): Numbered => {
      const seq = (last.get(rootID) ?? 0) + 1
      last.set(rootID, seq)
      return { rootID, seq, mutation }
    }),
  )
  const changes = yield* apply(scope, numbered)
  yield* insertJobs(jobsOf(scope, batches, trees))
  return changes
}

/** A job for each tree with turns that ask for one. */
function jobsOf({ tenantID }: Scope, batches: TreeBatch[], trees: ReadonlyMap<string, NumberedTree>): TreeJob[] {
  const asked = batches.flatMap(({ rootID, mutations }) =>
    mutations.some((mutation) => mutation.kind === "turn" && mutation.job) ? [rootID] : [],
  )
  return [...new Set(asked)].map((rootID) => ({ tenantID, rootID, place: trees.get(rootID)?.place ?? "" }))
}

/** Rows between two removals are written together; the order relative to removals is kept. */
function* apply(scope: Scope, numbered: Numbered[]): Program<Change[]> {
  const changes: Change[] = []
  let pending: Numbered[] = []
  try {
    for (const { rootID, seq, mutation } of numbered) {
      if (!isRemoval(mutation)) {
        pending.push({ rootID, seq, mutation })
        continue
      }
      changes.push(...(yield* writeRows(scope, pending)))
      pending = []
      changes.push(yield* removeRow(scope, { rootID, seq, mutation }))
    }
    changes.push(...(yield* writeRows(scope, pending)))
  } catch (error) {
    if (!(error instanceof MissingParentError)) throw error
    throw new DocketError("session_not_found", "the session or message that a row belongs to does not exist", {
      cause: error,
    })
  }
  return changes
}

/** The root sessions of trees that the batches may create, by id. */
function newTrees(batches: TreeBatch[]): Session[] {
  const roots = new Map<string, Session>()
  for (const {
    rootID,
    mutations: [first],
  } of batches)
    if (first?.kind === "session" && first.value.id === rootID && !roots.has(rootID)) roots.set(rootID, first.value)
  return [...roots.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Refuses a batch of a turn that was claimed again since. @throws StaleTurnError */
function* checkFences({ tenantID, dialect }: Scope, batches: TreeBatch[]): Program<void> {
  const fences = batches.flatMap(({ fence }) => fence ?? [])
  if (fences.length === 0) return
  const rows = yield* query(
    `SELECT t."id" AS "id", t."epoch" AS "epoch" FROM ${dialect.jsonRows("$1", { id: "text" }, "r")}
     CROSS JOIN "Turn" t WHERE t."tenantID" = $2 AND t."id" = r."id"`,
    JSON.stringify(fences.map(({ turnID }) => ({ id: turnID }))),
    tenantID,
  )
  const epochs = new Map(rows.map((row) => [text(row, "id"), number(row, "epoch")]))
  for (const { turnID, epoch } of fences) if (epochs.get(turnID) !== epoch) throw new StaleTurnError(turnID)
}

/** `fresh` is the id of a session or turn that must not exist yet. @throws AlreadyMadeError */
function* checkFresh({ tenantID }: Scope, batches: TreeBatch[]): Program<void> {
  for (const { fresh } of batches) {
    if (fresh === undefined) continue
    const found = yield* query(
      `SELECT "id" FROM "Session" WHERE "tenantID" = $1 AND "id" = $2
       UNION ALL SELECT "id" FROM "Turn" WHERE "tenantID" = $1 AND "id" = $2`,
      tenantID,
      fresh,
    )
    if (found.length > 0) throw new AlreadyMadeError(fresh)
  }
}

/** With `onlyNew`, none of the batch's new rows may exist yet. @throws AlreadyMadeError */
function* checkNew({ tenantID, dialect }: Scope, batches: TreeBatch[]): Program<void> {
  const rows = batches.flatMap(({ onlyNew, mutations }) => (onlyNew ? newRows(mutations) : []))
  for (const [table, own] of Map.groupBy(rows, (row) => row.table)) {
    const [found] = yield* query(
      `SELECT t."id" AS "id" FROM ${dialect.jsonRows("$1", { id: "text" }, "r")}
       CROSS JOIN "${table}" t WHERE t."tenantID" = $2 AND t."id" = r."id" LIMIT 1`,
      JSON.stringify(own.map(({ id }) => ({ id }))),
      tenantID,
    )
    if (found) throw new AlreadyMadeError(text(found, "id"))
  }
}
