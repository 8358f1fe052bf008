import { type ColumnType, type RecordName, type RowOf, records } from "@docket/core/store"
import type { Prisma } from "../generated/sqlite/client/client.ts"

type Model<N extends Prisma.ModelName> = Prisma.TypeMap["model"][N]["payload"]["scalars"]

/** `todoSeq` is written by its own statement. */
type Written<N extends RecordName> = N extends "Session" ? Omit<Model<N>, "todoSeq"> : Model<N>
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/** A type error here means that a record's columns differ from its model in `schema.prisma`. */
const checked: {
  [N in RecordName]: Same<RowOf<(typeof records)[N]>, Written<N>> extends true ? (typeof records)[N] : never
} = records

/** Rows that programs write, typed by the Prisma models. */
export type Rows = { [N in RecordName]: RowOf<(typeof records)[N]> } & {
  Removal: Model<"Removal">
  ShareRow: Model<"ShareRow">
}

export type TableName = keyof Rows

/** The columns of each table, in the order in which they are written. The key is (tenantID, second column). */
export const tables: { [T in TableName]: Record<string, ColumnType> } = {
  // Built from the list of records: one entry per name.
  ...(Object.fromEntries(
    Object.entries(checked).map(([name, { key, columns }]) => [
      name,
      { tenantID: "word", [key]: "word", ...columns, data: "text" },
    ]),
  ) as unknown as Record<RecordName, Record<string, ColumnType>>),
  Removal: {
    tenantID: "word",
    id: "word",
    rootID: "word",
    kind: "word",
    sessionID: "word",
    messageID: "word?",
    seq: "integer",
  },
  ShareRow: {
    tenantID: "word",
    id: "word",
    shareID: "word",
    kind: "word",
    sessionID: "word",
    messageID: "word?",
    seq: "integer",
    data: "text",
    hidden: "text",
  },
}

/**
 * Columns that keep their first value, so updates leave them out: an update that names a column makes SQLite write all
 * indexes with it again, and look up the row that it refers to.
 */
const fixed: Partial<Record<TableName, readonly string[]>> = {
  Session: ["createdSeq", "rootID", "parentID", "originCallID"],
  Message: ["rootID", "sessionID"],
  Part: ["rootID", "sessionID", "messageID"],
  Turn: ["rootID", "sessionID"],
}

/** `INSERT INTO table (columns) <source> ON CONFLICT … DO UPDATE`, where `source` provides the rows. */
export function upsertSql(table: TableName, source: string): string {
  const columns = Object.keys(tables[table])
  const key = columns.slice(0, 2)
  const updates = columns
    .slice(2)
    .filter((name) => !fixed[table]?.includes(name))
    .map((name) => `"${name}" = excluded."${name}"`)
  const list = columns.map((name) => `"${name}"`).join(", ")
  return (
    `INSERT INTO "${table}" (${list}) ${source} ` +
    `ON CONFLICT (${key.map((name) => `"${name}"`).join(", ")}) DO UPDATE SET ${updates.join(", ")}`
  )
}
