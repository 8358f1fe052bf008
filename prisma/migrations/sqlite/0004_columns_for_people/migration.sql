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

-- What older rows say in their content. A row that holds no JSON is left as it is; a column holds no NUL.
UPDATE "Project" SET "name" = replace(coalesce("data" ->> '$.name', ''), char(0), '') WHERE json_valid("data");
UPDATE "Session" SET
    "directory" = replace(coalesce("data" ->> '$.directory', ''), char(0), ''),
    "agent" = replace(coalesce("data" ->> '$.agent', ''), char(0), ''),
    "model" = replace(("data" ->> '$.model.providerID') || '/' || ("data" ->> '$.model.modelID'), char(0), '')
    WHERE json_valid("data");
UPDATE "Message" SET
    "agent" = replace(coalesce("data" ->> '$.agent', ''), char(0), ''),
    "model" = replace(coalesce(("data" ->> '$.model.providerID') || '/' || ("data" ->> '$.model.modelID'), ''), char(0), ''),
    "cost" = coalesce("data" ->> '$.cost', 0),
    "created" = coalesce("data" ->> '$.time.created', 0)
    WHERE json_valid("data");
UPDATE "Part" SET "tool" = replace("data" ->> '$.tool', char(0), '') WHERE "type" = 'tool' AND json_valid("data");
UPDATE "Todo" SET
    "content" = substr(replace(coalesce("data" ->> '$.content', ''), char(0), ''), 1, 200),
    "priority" = coalesce("data" ->> '$.priority', 'medium')
    WHERE json_valid("data");
UPDATE "TodoChange" SET "actor" = replace(coalesce("data" ->> '$.actor.name', ''), char(0), '') WHERE json_valid("data");
UPDATE "Task" SET
    "agent" = replace(coalesce("data" ->> '$.agent', ''), char(0), ''),
    "description" = substr(replace(coalesce("data" ->> '$.description', ''), char(0), ''), 1, 200),
    "ended" = "data" ->> '$.time.ended'
    WHERE json_valid("data");
UPDATE "Memory" SET "title" = replace(coalesce("data" ->> '$.title', ''), char(0), '') WHERE json_valid("data");
UPDATE "Schedule" SET
    "phrase" = replace(coalesce("data" ->> '$.phrase', ''), char(0), ''),
    "lastRunAt" = "data" ->> '$.lastRunAt'
    WHERE json_valid("data");
UPDATE "ScheduleRun" SET "sessionID" = "data" ->> '$.sessionID', "completedAt" = "data" ->> '$.completedAt'
    WHERE json_valid("data");
UPDATE "ApiToken" SET
    "name" = replace(coalesce("data" ->> '$.name', ''), char(0), ''),
    "used" = "data" ->> '$.time.used',
    "revoked" = "data" ->> '$.time.revoked'
    WHERE json_valid("data");
UPDATE "Turn" SET "attempt" = coalesce("data" ->> '$.attempt', 0), "ended" = "data" ->> '$.time.ended'
    WHERE json_valid("data");
UPDATE "PermissionRequest" SET
    "permission" = replace(coalesce("data" ->> '$.permission', ''), char(0), ''),
    "replied" = "data" ->> '$.time.replied'
    WHERE json_valid("data");
UPDATE "PermissionGrant" SET
    "permission" = replace(coalesce("data" ->> '$.permission', ''), char(0), ''),
    "pattern" = replace(coalesce("data" ->> '$.pattern', ''), char(0), '')
    WHERE json_valid("data");
UPDATE "Share" SET "revoked" = "data" ->> '$.time.revoked' WHERE json_valid("data");
