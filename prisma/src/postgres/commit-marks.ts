import { randomUUID } from "node:crypto"
import type { Pool } from "pg"

/** A row that a transaction writes in addition, to recognize it later if the answer to its commit was lost. */
export interface CommitMark {
  slot: number
  id: string
  /** The statements that begin the transaction. */
  begin: string
}

/** One row per concurrent transaction; the next transaction of the same slot replaces it. */
export interface CommitMarks {
  take(): CommitMark
  /** Called when the outcome of the transaction is known. */
  giveBack(mark: CommitMark): void
  /** Whether its transaction was committed. Waits for a transaction that is still open on the server. */
  isStored(mark: CommitMark): Promise<boolean>
}

/** For the only service on a database: the outcome of earlier services' transactions does not matter. */
export async function openCommitMarks(pool: Pool): Promise<CommitMarks> {
  // Half of each page stays free, so that a new mark fits beside the old one and no index changes (HOT update).
  await pool.query(
    `CREATE TABLE IF NOT EXISTS "_docket_commits" ("slot" INTEGER PRIMARY KEY, "id" TEXT NOT NULL) WITH (fillfactor = 50)`,
  )
  await pool.query(`DELETE FROM "_docket_commits"`)
  const free: number[] = []
  let slots = 0
  return {
    take() {
      const slot = free.pop() ?? slots++
      const id = randomUUID()
      const upsert = `INSERT INTO "_docket_commits" VALUES (${slot}, '${id}') ON CONFLICT ("slot") DO UPDATE SET "id" = EXCLUDED."id"`
      // Both statements are sent in one message, which saves a round trip.
      return { slot, id, begin: `BEGIN; ${upsert}` }
    },
    giveBack: ({ slot }) => void free.push(slot),
    async isStored({ slot, id }) {
      // A write, because only a write waits for an open transaction that holds the row.
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO "_docket_commits" VALUES ($1, '') ON CONFLICT ("slot") DO UPDATE SET "slot" = EXCLUDED."slot" RETURNING "id"`,
        [slot],
      )
      return rows[0]?.id === id
    },
  }
}
