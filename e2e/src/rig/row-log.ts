import type { TestPostgres } from "@docket/db/start-postgres"
import { z } from "zod"
import type { Stored } from "./history.ts"

/** The tables whose rows readers of a tree are told of. */
const tables = ["Session", "Message", "Part", "Task", "Turn", "PermissionRequest"]

const createLog = `
CREATE TABLE rig_log (
  n bigserial PRIMARY KEY, transaction text, at double precision, host text, "table" text, id text, root text,
  session text, seq int, status text, epoch int, prompt text
);
CREATE INDEX ON rig_log (root);
CREATE FUNCTION rig_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE given jsonb := to_jsonb(NEW); turn jsonb := NULL;
BEGIN
  IF TG_TABLE_NAME = 'Turn' THEN turn := (given->>'data')::jsonb; END IF;
  INSERT INTO rig_log (transaction, at, host, "table", id, root, session, seq, status, epoch, prompt)
  VALUES (
    pg_current_xact_id()::text, extract(epoch FROM clock_timestamp()) * 1000, host(inet_client_addr()), TG_TABLE_NAME,
    given->>'id', given->>'rootID', coalesce(given->>'sessionID', given->>'id'), (given->>'seq')::int,
    turn->>'status', (turn->>'epoch')::int, turn#>>'{input,parts,0,text}'
  );
  RETURN NULL;
END $$;
${tables.map((table) => `CREATE TRIGGER rig_note AFTER INSERT OR UPDATE ON "${table}" FOR EACH ROW EXECUTE FUNCTION rig_note();`).join("\n")}
`

const Row = z.object({
  ...{ n: z.coerce.number(), transaction: z.string(), at: z.number(), host: z.string(), table: z.string() },
  ...{ id: z.string(), root: z.string(), session: z.string(), seq: z.number() },
  ...{ status: z.string().nullable(), epoch: z.number().nullable(), prompt: z.string().nullable() },
})

/** Lets the database note each row that it stores, with the host that wrote it: nodes cannot leave anything out. */
export async function startRowLog(postgres: TestPostgres): Promise<void> {
  await postgres.execute(createLog)
}

/** What was noted of these trees since the note `after`, in the order of their commits. */
export async function readRowLog(postgres: TestPostgres, roots: readonly string[], after = 0): Promise<Stored[]> {
  const list = roots.map((root) => `'${root}'`).join(", ") || "NULL"
  const rows = await postgres.execute(`SELECT * FROM rig_log WHERE root IN (${list}) AND n > ${after} ORDER BY n`)
  return rows.map((row) => Row.parse(row))
}
