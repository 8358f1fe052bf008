import { randomUUID } from "node:crypto"
import type { Pool } from "pg"

/** What a transaction writes beside its rows, by which it is known again when the answer to its commit was lost. */
export interface CommitMark {
  slot: number
  id: string
  /** The statements that begin the transaction. */
  begin: string
}

/** One row for each transaction that runs at once, which the next one of the slot replaces. */
export interface CommitMarks {
  take(): CommitMark
  /** When it is known what came of the transaction. */
  giveBack(mark: CommitMark): void
  /** Whether its transaction was committed. Waits for one that the server has not ended yet. */
  isStored(mark: CommitMark): Promise<boolean>
}

/** For the only service on a database: nothing of earlier ones is in doubt. */
export async function openCommitMarks(pool: Pool): Promise<CommitMarks> {
  // Half of each page stays free, so that a new mark goes beside the old one and no index changes.
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
      // Both in one message: it costs no further round trip.
      return { slot, id, begin: `BEGIN; ${upsert}` }
    },
    giveBack: ({ slot }) => void free.push(slot),
    async isStored({ slot, id }) {
      // A write, because only that waits for a transaction that has the row and is not through.
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO "_docket_commits" VALUES ($1, '') ON CONFLICT ("slot") DO UPDATE SET "slot" = EXCLUDED."slot" RETURNING "id"`,
        [slot],
      )
      return rows[0]?.id === id
    },
  }
}
