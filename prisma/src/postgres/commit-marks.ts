import { randomUUID } from "node:crypto"
import type { Pool } from "pg"

/** A row that a transaction writes in addition, to recognize it later if the answer to its commit was lost. */
export interface CommitMark {
  slot: number
  id: string
  /** The statements that begin the transaction. */
  begin: string
}

/** One row per process and concurrent transaction; the next transaction of the same slot replaces it. */
export interface CommitMarks {
  take(): CommitMark
  /** Called when the outcome of the transaction is known. */
  giveBack(mark: CommitMark): void
  /** Whether its transaction was committed. Waits for a transaction that is still open on the server. */
  isStored(mark: CommitMark): Promise<boolean>
}

/** "dockm": key of the lock under which the table is made. */
const tableLock = 0x646f636b6d

/**
 * The marks of this process. The outcome of transactions of processes that ended does not matter: the only service on a
 * database removes all marks; a node (`isShared`) those that are a day old, for nobody waits that long for an outcome.
 */
export async function openCommitMarks(pool: Pool, { isShared }: { isShared: boolean }): Promise<CommitMarks> {
  await prepareTable(pool, isShared ? `"at" < now() - INTERVAL '1 day'` : "TRUE")
  const owner = randomUUID()
  const free: number[] = []
  let slots = 0
  return {
    take() {
      const slot = free.pop() ?? slots++
      const id = randomUUID()
      const upsert = `INSERT INTO "_docket_commits" VALUES ('${owner}', ${slot}, '${id}')
        ON CONFLICT ("owner", "slot") DO UPDATE SET "id" = EXCLUDED."id", "at" = EXCLUDED."at"`
      // Both statements are sent in one message, which saves a round trip.
      return { slot, id, begin: `BEGIN; ${upsert}` }
    },
    giveBack: ({ slot }) => void free.push(slot),
    async isStored({ slot, id }) {
      // A write, because only a write waits for an open transaction that holds the row.
      const { rows } = await pool.query<{ id: string }>(
        `INSERT INTO "_docket_commits" VALUES ($1, $2, '')
         ON CONFLICT ("owner", "slot") DO UPDATE SET "slot" = EXCLUDED."slot" RETURNING "id"`,
        [owner, slot],
      )
      return rows[0]?.id === id
    },
  }
}

/** @param over the condition for marks that nobody asks for any more */
async function prepareTable(pool: Pool, over: string): Promise<void> {
  // One message is one transaction. Two nodes may begin at the same moment.
  await pool.query(`
    SELECT pg_advisory_xact_lock(${tableLock});
    DO $$ BEGIN
      -- A table of earlier versions, which had one process: its marks are of no use.
      IF to_regclass('"_docket_commits"') IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('"_docket_commits"') AND attname = 'owner'
      ) THEN DROP TABLE "_docket_commits"; END IF;
    END $$;
    -- Half of each page stays free, so that a new mark fits beside the old one and no index changes (HOT update).
    CREATE TABLE IF NOT EXISTS "_docket_commits" (
      "owner" TEXT NOT NULL, "slot" INTEGER NOT NULL, "id" TEXT NOT NULL, "at" TIMESTAMPTZ NOT NULL DEFAULT now(),
      PRIMARY KEY ("owner", "slot")
    ) WITH (fillfactor = 50);
    DELETE FROM "_docket_commits" WHERE ${over};
  `)
}
