-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "name" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "agent" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "directory" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "model" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "Message" ADD COLUMN     "agent" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "cost" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "created" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "model" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Part" ADD COLUMN     "tool" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "Todo" ADD COLUMN     "content" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "priority" TEXT COLLATE "C" NOT NULL DEFAULT 'medium';

-- AlterTable
ALTER TABLE "TodoChange" ADD COLUMN     "actor" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Task" ADD COLUMN     "agent" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "description" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "ended" DOUBLE PRECISION;

-- AlterTable
ALTER TABLE "Memory" ADD COLUMN     "title" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Schedule" ADD COLUMN     "lastRunAt" DOUBLE PRECISION,
ADD COLUMN     "phrase" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "ScheduleRun" ADD COLUMN     "completedAt" DOUBLE PRECISION,
ADD COLUMN     "sessionID" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "ApiToken" ADD COLUMN     "name" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "revoked" DOUBLE PRECISION,
ADD COLUMN     "used" DOUBLE PRECISION;

-- AlterTable
ALTER TABLE "Turn" ADD COLUMN     "attempt" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "ended" DOUBLE PRECISION;

-- AlterTable
ALTER TABLE "PermissionRequest" ADD COLUMN     "permission" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "replied" DOUBLE PRECISION;

-- AlterTable
ALTER TABLE "PermissionGrant" ADD COLUMN     "pattern" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "permission" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Share" ADD COLUMN     "revoked" DOUBLE PRECISION;

-- CreateTable
CREATE TABLE "MemoryTag" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "memoryID" TEXT COLLATE "C" NOT NULL,
    "tag" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "MemoryTag_pkey" PRIMARY KEY ("tenantID","memoryID","tag")
);

-- CreateIndex
CREATE INDEX "MemoryTag_tenantID_tag_idx" ON "MemoryTag"("tenantID", "tag");

-- AddForeignKey
ALTER TABLE "MemoryTag" ADD CONSTRAINT "MemoryTag_tenantID_memoryID_fkey" FOREIGN KEY ("tenantID", "memoryID") REFERENCES "Memory"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The column held each tag, escaped, between spaces.
INSERT INTO "MemoryTag" ("tenantID", "memoryID", "tag")
    SELECT DISTINCT m."tenantID", m."id", t.tag
    FROM "Memory" m CROSS JOIN regexp_split_to_table(btrim(m."tags"), ' +') AS t(tag)
    WHERE m."tags" <> '';
ALTER TABLE "Memory" DROP COLUMN "tags";

-- What a path leads to in JSON, NULL where there is none. PostgreSQL cannot read JSON that holds a NUL or half a
-- surrogate pair: both go first, and a backslash that is escaped itself, which may stand before the same letters, stays.
CREATE FUNCTION pg_temp.docket_field("content" text, VARIADIC "path" text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN regexp_replace("content", '(\\\\)|\\u0000|\\ud[89a-f][0-9a-f]{2}', '\1', 'g')::json #>> "path";
EXCEPTION WHEN others THEN
    RETURN NULL;
END $$;

UPDATE "Project" SET "name" = coalesce(pg_temp.docket_field("data", 'name'), '');
UPDATE "Session" SET
    "directory" = coalesce(pg_temp.docket_field("data", 'directory'), ''),
    "agent" = coalesce(pg_temp.docket_field("data", 'agent'), ''),
    "model" = pg_temp.docket_field("data", 'model', 'providerID') || '/' || pg_temp.docket_field("data", 'model', 'modelID');
UPDATE "Message" SET
    "agent" = coalesce(pg_temp.docket_field("data", 'agent'), ''),
    "model" = coalesce(pg_temp.docket_field("data", 'model', 'providerID') || '/' || pg_temp.docket_field("data", 'model', 'modelID'), ''),
    "cost" = coalesce(pg_temp.docket_field("data", 'cost')::double precision, 0),
    "created" = coalesce(pg_temp.docket_field("data", 'time', 'created')::double precision, 0);
-- By pattern, because the output of a tool may be long. Quotes within text are escaped.
UPDATE "Part" SET "tool" = substring("data" from '"tool":"([^"\\]*)"') WHERE "type" = 'tool';
UPDATE "Todo" SET
    "content" = left(coalesce(pg_temp.docket_field("data", 'content'), ''), 200),
    "priority" = coalesce(pg_temp.docket_field("data", 'priority'), 'medium');
UPDATE "TodoChange" SET "actor" = coalesce(pg_temp.docket_field("data", 'actor', 'name'), '');
UPDATE "Task" SET
    "agent" = coalesce(pg_temp.docket_field("data", 'agent'), ''),
    "description" = left(coalesce(pg_temp.docket_field("data", 'description'), ''), 200),
    "ended" = pg_temp.docket_field("data", 'time', 'ended')::double precision;
UPDATE "Memory" SET "title" = coalesce(pg_temp.docket_field("data", 'title'), '');
UPDATE "Schedule" SET
    "phrase" = coalesce(pg_temp.docket_field("data", 'phrase'), ''),
    "lastRunAt" = pg_temp.docket_field("data", 'lastRunAt')::double precision;
UPDATE "ScheduleRun" SET
    "sessionID" = pg_temp.docket_field("data", 'sessionID'),
    "completedAt" = pg_temp.docket_field("data", 'completedAt')::double precision;
UPDATE "ApiToken" SET
    "name" = coalesce(pg_temp.docket_field("data", 'name'), ''),
    "used" = pg_temp.docket_field("data", 'time', 'used')::double precision,
    "revoked" = pg_temp.docket_field("data", 'time', 'revoked')::double precision;
UPDATE "Turn" SET
    "attempt" = coalesce(pg_temp.docket_field("data", 'attempt')::integer, 0),
    "ended" = pg_temp.docket_field("data", 'time', 'ended')::double precision;
UPDATE "PermissionRequest" SET
    "permission" = coalesce(pg_temp.docket_field("data", 'permission'), ''),
    "replied" = pg_temp.docket_field("data", 'time', 'replied')::double precision;
UPDATE "PermissionGrant" SET
    "permission" = coalesce(pg_temp.docket_field("data", 'permission'), ''),
    "pattern" = coalesce(pg_temp.docket_field("data", 'pattern'), '');
UPDATE "Share" SET "revoked" = pg_temp.docket_field("data", 'time', 'revoked')::double precision;

DROP FUNCTION pg_temp.docket_field(text, text[]);
