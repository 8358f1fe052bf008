import { columnText, type SecretPlace, type SecretRow, type SecretStore, type SecretSwap } from "@docket/core/store"
import type { Database } from "../sql/database.ts"
import type { Dialect } from "../sql/dialect.ts"
import { number, type Program, query, type Row, text } from "../sql/program.ts"

const columns = `"tenantID" AS "tenantID", "kind" AS "kind", "name" AS "name", "sealed" AS "sealed", "updated" AS "updated"`
const place = `"tenantID" = $1 AND "kind" = $2 AND "name" = $3`

/** Rows without content that this store can read, so they are no records. */
export function secretStore({ dialect, read, write }: Database): SecretStore {
  return {
    async get(at) {
      const sql = `SELECT ${columns} FROM "Secret" WHERE ${place}`
      const [row] = await read({ program: () => query(sql, ...valuesOf(at)) })
      return row === undefined ? null : secretOf(row)
    },
    async list(of) {
      const [where, values] =
        of === undefined ? ["", []] : [`WHERE "tenantID" = $1 AND "kind" = $2`, [of.tenantID, of.kind]]
      const sql = `SELECT ${columns} FROM "Secret" ${where} ORDER BY "tenantID", "kind", "name"`
      return (await read({ program: () => query(sql, ...values) })).map(secretOf)
    },
    async swap(swaps) {
      try {
        await write({ program: () => swapAll(dialect, swaps) })
        return true
      } catch (error) {
        if (error instanceof SwapMissed) return false
        throw error
      }
    },
    lease: (at, holder, ms) => write({ program: () => lease(dialect, at, { holder, ms }) }),
    async release(at, holder) {
      const sql = `UPDATE "Secret" SET "holder" = '', "until" = 0 WHERE ${place} AND "holder" = $4 RETURNING "name"`
      await write({ program: () => query(sql, ...valuesOf(at), holder) })
    },
  }
}

/** Undoes the transaction. */
class SwapMissed extends Error {}

function* swapAll({ now }: Dialect, swaps: readonly SecretSwap[]): Program<void> {
  // In one order, so that two transactions never wait for each other.
  for (const { place: at, before, after } of [...swaps].sort(byPlace)) {
    const rows = yield* swapOne(now, at, { before, after })
    if (rows.length === 0) throw new SwapMissed()
  }
}

function* swapOne(now: string, at: SecretPlace, { before, after }: Omit<SecretSwap, "place">): Program<Row[]> {
  const values = valuesOf(at)
  if (before === null && after === null)
    return yield* query(`SELECT 1 AS "one" WHERE NOT EXISTS (SELECT 1 FROM "Secret" WHERE ${place})`, ...values)
  if (after === null)
    return yield* query(`DELETE FROM "Secret" WHERE ${place} AND "sealed" = $4 RETURNING "name"`, ...values, before)
  if (before === null)
    return yield* query(
      `INSERT INTO "Secret" ("tenantID", "kind", "name", "sealed", "updated") VALUES ($1, $2, $3, $4, ${now})
       ON CONFLICT DO NOTHING RETURNING "name"`,
      ...values,
      after,
    )
  return yield* query(
    `UPDATE "Secret" SET "sealed" = $4, "updated" = ${now} WHERE ${place} AND "sealed" = $5 RETURNING "name"`,
    ...values,
    after,
    before,
  )
}

function* lease({ now }: Dialect, at: SecretPlace, { holder, ms }: { holder: string; ms: number }): Program<boolean> {
  const values = valuesOf(at)
  const held = yield* query(
    `UPDATE "Secret" SET "holder" = $4, "until" = ${now} + $5
     WHERE ${place} AND ("holder" = $4 OR "until" <= ${now}) RETURNING "name"`,
    ...values,
    holder,
    ms,
  )
  if (held.length > 0) return true
  return (yield* query(`SELECT "name" AS "name" FROM "Secret" WHERE ${place}`, ...values)).length === 0
}

function valuesOf({ tenantID, kind, name }: SecretPlace): [string, string, string] {
  return [tenantID, kind, columnText(name)]
}

function byPlace(a: SecretSwap, b: SecretSwap): number {
  return JSON.stringify(valuesOf(a.place)) < JSON.stringify(valuesOf(b.place)) ? -1 : 1
}

function secretOf(row: Row): SecretRow {
  return {
    tenantID: text(row, "tenantID"),
    kind: text(row, "kind"),
    name: text(row, "name"),
    sealed: text(row, "sealed"),
    updated: number(row, "updated"),
  }
}
