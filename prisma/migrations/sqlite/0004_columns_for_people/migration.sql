-- AlterTable
ALTER TABLE "Project" ADD COLUMN "name" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Session" ADD COLUMN "directory" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Session" ADD COLUMN "agent" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Session" ADD COLUMN "model" TEXT;
ALTER TABLE "Message" ADD COLUMN "agent" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Message" ADD COLUMN "model" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Message" ADD COLUMN "cost" REAL NOT NULL DEFAULT 0;
ALTER TABLE "Message" ADD COLUMN "created" REAL NOT NULL DEFAULT 0;
ALTER TABLE "Part" ADD COLUMN "tool" TEXT;
ALTER TABLE "Todo" ADD COLUMN "content" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Todo" ADD COLUMN "priority" TEXT NOT NULL DEFAULT 'medium';
ALTER TABLE "TodoChange" ADD COLUMN "actor" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Task" ADD COLUMN "agent" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Task" ADD COLUMN "description" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Task" ADD COLUMN "ended" REAL;
ALTER TABLE "Memory" ADD COLUMN "title" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Schedule" ADD COLUMN "phrase" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Schedule" ADD COLUMN "lastRunAt" REAL;
ALTER TABLE "ScheduleRun" ADD COLUMN "sessionID" TEXT;
ALTER TABLE "ScheduleRun" ADD COLUMN "completedAt" REAL;
ALTER TABLE "ApiToken" ADD COLUMN "name" TEXT NOT NULL DEFAULT '';
ALTER TABLE "ApiToken" ADD COLUMN "used" REAL;
ALTER TABLE "ApiToken" ADD COLUMN "revoked" REAL;
ALTER TABLE "Turn" ADD COLUMN "attempt" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Turn" ADD COLUMN "ended" REAL;
ALTER TABLE "PermissionRequest" ADD COLUMN "permission" TEXT NOT NULL DEFAULT '';
ALTER TABLE "PermissionRequest" ADD COLUMN "replied" REAL;
ALTER TABLE "PermissionGrant" ADD COLUMN "permission" TEXT NOT NULL DEFAULT '';
ALTER TABLE "PermissionGrant" ADD COLUMN "pattern" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Share" ADD COLUMN "revoked" REAL;

-- CreateTable
CREATE TABLE "MemoryTag" (
    "tenantID" TEXT NOT NULL,
    "memoryID" TEXT NOT NULL,
    "tag" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "memoryID", "tag"),
    CONSTRAINT "MemoryTag_tenantID_memoryID_fkey" FOREIGN KEY ("tenantID", "memoryID") REFERENCES "Memory" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "MemoryTag_tenantID_tag_idx" ON "MemoryTag"("tenantID", "tag");

-- The column held each tag, escaped, between spaces.
INSERT INTO "MemoryTag" ("tenantID", "memoryID", "tag")
    SELECT DISTINCT m."tenantID", m."id", t.value
    FROM "Memory" m, json_each('["' || replace(trim(m."tags"), '  ', '","') || '"]') t
    WHERE m."tags" <> '';
ALTER TABLE "Memory" DROP COLUMN "tags";

-- What older rows say in their content. A row that holds no JSON is left as it is. A column holds no NUL, at which
-- SQLite's functions stop, so its escape goes first; a backslash that is escaped itself, which may stand before the same
-- letters, is put aside meanwhile as a character that JSON escapes too.
UPDATE "Project" SET
    "name" = coalesce(o."data" ->> '$.name', '')
    FROM (SELECT rowid AS "row", replace(replace(replace("data", '\\', char(1)), '\u0000', ''), char(1), '\\') AS "data" FROM "Project" WHERE json_valid("data")) o
    WHERE o."row" = "Project".rowid;
UPDATE "Session" SET
    "directory" = coalesce(o."data" ->> '$.directory', ''),
    "agent" = coalesce(o."data" ->> '$.agent', ''),
    "model" = (o."data" ->> '$.model.providerID') || '/' || (o."data" ->> '$.model.modelID')
    FROM (SELECT rowid AS "row", replace(replace(replace("data", '\\', char(1)), '\u0000', ''), char(1), '\\') AS "data" FROM "Session" WHERE json_valid("data")) o
    WHERE o."row" = "Session".rowid;
UPDATE "Message" SET
    "agent" = coalesce(o."data" ->> '$.agent', ''),
    "model" = coalesce((o."data" ->> '$.model.providerID') || '/' || (o."data" ->> '$.model.modelID'), ''),
    "cost" = coalesce(o."data" ->> '$.cost', 0),
    "created" = coalesce(o."data" ->> '$.time.created', 0)
    FROM (SELECT rowid AS "row", replace(replace(replace("data", '\\', char(1)), '\u0000', ''), char(1), '\\') AS "data" FROM "Message" WHERE json_valid("data")) o
    WHERE o."row" = "Message".rowid;
UPDATE "Todo" SET
    "content" = substr(coalesce(o."data" ->> '$.content', ''), 1, 200),
    "priority" = coalesce(o."data" ->> '$.priority', 'medium')
    FROM (SELECT rowid AS "row", replace(replace(replace("data", '\\', char(1)), '\u0000', ''), char(1), '\\') AS "data" FROM "Todo" WHERE json_valid("data")) o
    WHERE o."row" = "Todo".rowid;
UPDATE "TodoChange" SET
    "actor" = coalesce(o."data" ->> '$.actor.name', '')
    FROM (SELECT rowid AS "row", replace(replace(replace("data", '\\', char(1)), '\u0000', ''), char(1), '\\') AS "data" FROM "TodoChange" WHERE json_valid("data")) o
    WHERE o."row" = "TodoChange".rowid;
UPDATE "Task" SET
    "agent" = coalesce(o."data" ->> '$.agent', ''),
    "description" = substr(coalesce(o."data" ->> '$.description', ''), 1, 200),
    "ended" = o."data" ->> '$.time.ended'
    FROM (SELECT rowid AS "row", replace(replace(replace("data", '\\', char(1)), '\u0000', ''), char(1), '\\') AS "data" FROM "Task" WHERE json_valid("data")) o
    WHERE o."row" = "Task".rowid;
UPDATE "Memory" SET
    "title" = coalesce(o."data" ->> '$.title', '')
    FROM (SELECT rowid AS "row", replace(replace(replace("data", '\\', char(1)), '\u0000', ''), char(1), '\\') AS "data" FROM "Memory" WHERE json_valid("data")) o
    WHERE o."row" = "Memory".rowid;
UPDATE "Schedule" SET
    "phrase" = coalesce(o."data" ->> '$.phrase', ''),
    "lastRunAt" = o."data" ->> '$.lastRunAt'
    FROM (SELECT rowid AS "row", replace(replace(replace("data", '\\', char(1)), '\u0000', ''), char(1), '\\') AS "data" FROM "Schedule" WHERE json_valid("data")) o
    WHERE o."row" = "Schedule".rowid;
UPDATE "ApiToken" SET
    "name" = coalesce(o."data" ->> '$.name', ''),
    "used" = o."data" ->> '$.time.used',
    "revoked" = o."data" ->> '$.time.revoked'
    FROM (SELECT rowid AS "row", replace(replace(replace("data", '\\', char(1)), '\u0000', ''), char(1), '\\') AS "data" FROM "ApiToken" WHERE json_valid("data")) o
    WHERE o."row" = "ApiToken".rowid;
UPDATE "PermissionRequest" SET
    "permission" = coalesce(o."data" ->> '$.permission', ''),
    "replied" = o."data" ->> '$.time.replied'
    FROM (SELECT rowid AS "row", replace(replace(replace("data", '\\', char(1)), '\u0000', ''), char(1), '\\') AS "data" FROM "PermissionRequest" WHERE json_valid("data")) o
    WHERE o."row" = "PermissionRequest".rowid;
UPDATE "PermissionGrant" SET
    "permission" = coalesce(o."data" ->> '$.permission', ''),
    "pattern" = coalesce(o."data" ->> '$.pattern', '')
    FROM (SELECT rowid AS "row", replace(replace(replace("data", '\\', char(1)), '\u0000', ''), char(1), '\\') AS "data" FROM "PermissionGrant" WHERE json_valid("data")) o
    WHERE o."row" = "PermissionGrant".rowid;
UPDATE "Part" SET "tool" = "data" ->> '$.tool' WHERE "type" = 'tool' AND json_valid("data");
UPDATE "ScheduleRun" SET "sessionID" = "data" ->> '$.sessionID', "completedAt" = "data" ->> '$.completedAt'
    WHERE json_valid("data");
UPDATE "Turn" SET "attempt" = coalesce("data" ->> '$.attempt', 0), "ended" = "data" ->> '$.time.ended'
    WHERE json_valid("data");
UPDATE "Share" SET "revoked" = "data" ->> '$.time.revoked' WHERE json_valid("data");
