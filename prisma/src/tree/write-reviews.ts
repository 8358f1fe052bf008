import type { ReviewComment } from "@docket/core/schema"
import { type Change, changedComment, type Mutation, records } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { stored } from "../row/stored.ts"
import { type Program, query, upsert } from "../sql/program.ts"
import type { Rows } from "../sql/tables.ts"
import type { Numbered } from "./numbered.ts"
import type { Scope } from "./scope.ts"

type CommentMutation = Extract<Mutation, { kind: "comment" | "comment.change" }>

/** Writes review data: threads, comments, verdicts, and what users have viewed. @throws CommentSentError */
export function* writeReviews(scope: Scope, mutations: Numbered[]): Program<Map<Numbered, Change[]>> {
  const changes = yield* writeComments(scope, mutations)
  const rows = {
    thread: new Map<string, Rows["ReviewThread"]>(),
    verdict: new Map<string, Rows["ReviewVerdict"]>(),
    viewed: new Map<string, Rows["ReviewViewed"]>(),
  }
  for (const numbered of mutations) {
    const { rootID, seq, mutation } = numbered
    const place = { tenantID: scope.tenantID, rootID, seq }
    switch (mutation.kind) {
      case "thread":
        rows.thread.set(mutation.value.id, rowOf(records.ReviewThread, place, mutation.value))
        changes.set(numbered, [{ rootID, seq, kind: "thread", value: mutation.value }])
        break
      case "verdict":
        rows.verdict.set(mutation.value.id, rowOf(records.ReviewVerdict, place, mutation.value))
        changes.set(numbered, [{ rootID, seq, kind: "verdict", value: mutation.value }])
        break
      case "viewed":
        rows.viewed.set(mutation.value.id, rowOf(records.ReviewViewed, place, mutation.value))
        changes.set(numbered, [{ rootID, seq, kind: "viewed", value: mutation.value }])
        break
    }
  }
  yield* upsert("ReviewThread", [...rows.thread.values()])
  yield* upsert("ReviewVerdict", [...rows.verdict.values()])
  yield* upsert("ReviewViewed", [...rows.viewed.values()])
  return changes
}

/**
 * Writes new and changed comments: reads the existing rows under the lock of the tree, applies the mutations in order
 * and writes each row once.
 * @throws CommentSentError
 */
function* writeComments(scope: Scope, mutations: Numbered[]): Program<Map<Numbered, Change[]>> {
  const changes = new Map<Numbered, Change[]>()
  const ids = new Set(mutations.flatMap(({ mutation }) => (isOfComment(mutation) ? [commentID(mutation)] : [])))
  if (ids.size === 0) return changes
  const current = yield* readComments(scope, [...ids])
  const written = new Map<string, Rows["ReviewComment"]>()
  for (const numbered of mutations) {
    const { rootID, seq, mutation } = numbered
    if (!isOfComment(mutation)) continue
    const before = current.get(commentID(mutation))
    const value =
      mutation.kind === "comment" ? (before ?? mutation.value) : before && changedComment(before, mutation.change)
    if (value === undefined) continue
    current.set(value.id, value)
    written.set(value.id, rowOf(records.ReviewComment, { tenantID: scope.tenantID, rootID, seq }, value))
    changes.set(numbered, [{ rootID, seq, kind: "comment", value }])
  }
  yield* upsert("ReviewComment", [...written.values()])
  return changes
}

function isOfComment(mutation: Mutation): mutation is CommentMutation {
  return mutation.kind === "comment" || mutation.kind === "comment.change"
}

function commentID(mutation: CommentMutation): string {
  return mutation.kind === "comment" ? mutation.value.id : mutation.commentID
}

function* readComments({ tenantID, dialect }: Scope, ids: string[]): Program<Map<string, ReviewComment>> {
  const rows = yield* query(
    `SELECT c."data" AS "data" FROM ${dialect.jsonRows("$1", { id: "text" }, "r")}
     CROSS JOIN "ReviewComment" c WHERE c."tenantID" = $2 AND c."id" = r."id"`,
    JSON.stringify(ids.map((id) => ({ id }))),
    tenantID,
  )
  return new Map(rows.map((row) => stored(records.ReviewComment, row)).map((comment) => [comment.id, comment]))
}
