import type { Change, Mutation } from "@docket/core/store"
import { type Program, query, upsert } from "../sql/program.ts"
import type { Numbered } from "./numbered.ts"
import type { Scope } from "./scope.ts"
import { closeTree } from "./tree-sequence.ts"

type Removal = Extract<Mutation, { kind: "session.remove" | "message.remove" | "part.remove" }>

export function isRemoval(mutation: Mutation): mutation is Removal {
  return mutation.kind === "session.remove" || mutation.kind === "message.remove" || mutation.kind === "part.remove"
}

/** Deletes the row (foreign keys delete its dependents) and records the removal. */
export function* removeRow(scope: Scope, { rootID, seq, mutation }: Numbered<Removal>): Program<Change> {
  const { table, id, messageID, change } = target(rootID, seq, mutation)
  const { tenantID } = scope
  yield* query(`DELETE FROM "${table}" WHERE "tenantID" = $1 AND "id" = $2 AND "rootID" = $3`, tenantID, id, rootID)
  if (id === rootID) yield* closeTree(scope, rootID)
  const { sessionID, kind } = mutation
  yield* upsert("Removal", [{ tenantID, id, rootID, kind, sessionID, messageID, seq }])
  return change
}

function target(rootID: string, seq: number, mutation: Removal) {
  const { sessionID } = mutation
  const place = { rootID, seq }
  switch (mutation.kind) {
    case "session.remove": {
      const change: Change = { ...place, kind: "session.removed", sessionID }
      return { table: "Session", id: sessionID, messageID: null, change }
    }
    case "message.remove": {
      const { messageID } = mutation
      const change: Change = { ...place, kind: "message.removed", sessionID, messageID }
      return { table: "Message", id: messageID, messageID, change }
    }
    case "part.remove": {
      const { messageID, partID } = mutation
      const change: Change = { ...place, kind: "part.removed", sessionID, messageID, partID }
      return { table: "Part", id: partID, messageID, change }
    }
    default:
      return mutation satisfies never
  }
}
