-- CreateTable
CREATE TABLE "TodoChange" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "todoID" TEXT NOT NULL,
    "sessionID" TEXT,
    "at" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "TodoChange_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Task" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "parentID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "worktree" TEXT,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Task_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Memory" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "projectID" TEXT,
    "sessionID" TEXT,
    "type" TEXT NOT NULL,
    "tags" TEXT NOT NULL,
    "invalidated" BOOLEAN NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Memory_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Schedule" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "projectID" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "nextFireAt" REAL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id")
);

-- CreateTable
CREATE TABLE "ScheduleRun" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "scheduleID" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "startedAt" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "ScheduleRun_tenantID_scheduleID_fkey" FOREIGN KEY ("tenantID", "scheduleID") REFERENCES "Schedule" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ApiToken" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id")
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Todo" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sessionID" TEXT,
    "rootID" TEXT,
    "status" TEXT NOT NULL,
    "rank" INTEGER NOT NULL DEFAULT 1,
    "position" INTEGER NOT NULL,
    "agent" TEXT,
    "updated" REAL NOT NULL DEFAULT 0,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Todo_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_Todo" ("data", "id", "number", "position", "rootID", "sessionID", "status", "tenantID") SELECT "data", "id", "number", "position", "rootID", "sessionID", "status", "tenantID" FROM "Todo";
DROP TABLE "Todo";
ALTER TABLE "new_Todo" RENAME TO "Todo";
UPDATE "Todo" SET
    "rank" = CASE "status" WHEN 'in_progress' THEN 0 WHEN 'pending' THEN 1 WHEN 'completed' THEN 2 ELSE 3 END,
    "agent" = "data" ->> '$.agent',
    "updated" = "data" ->> '$.time.updated';
CREATE INDEX "Todo_tenantID_sessionID_position_idx" ON "Todo"("tenantID", "sessionID", "position");
CREATE INDEX "Todo_tenantID_sessionID_rank_position_updated_id_idx" ON "Todo"("tenantID", "sessionID", "rank", "position", "updated" DESC, "id");
CREATE INDEX "Todo_tenantID_rank_position_updated_id_idx" ON "Todo"("tenantID", "rank", "position", "updated" DESC, "id");
CREATE INDEX "Todo_tenantID_rootID_idx" ON "Todo"("tenantID", "rootID");
CREATE INDEX "Todo_tenantID_number_idx" ON "Todo"("tenantID", "number");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "TodoChange_tenantID_todoID_at_idx" ON "TodoChange"("tenantID", "todoID", "at");

-- CreateIndex
CREATE INDEX "TodoChange_tenantID_sessionID_at_idx" ON "TodoChange"("tenantID", "sessionID", "at");

-- CreateIndex
CREATE INDEX "Task_tenantID_rootID_seq_idx" ON "Task"("tenantID", "rootID", "seq");

-- CreateIndex
CREATE INDEX "Task_tenantID_rootID_number_idx" ON "Task"("tenantID", "rootID", "number");

-- CreateIndex
CREATE INDEX "Task_tenantID_sessionID_number_idx" ON "Task"("tenantID", "sessionID", "number");

-- CreateIndex
CREATE INDEX "Task_tenantID_state_created_idx" ON "Task"("tenantID", "state", "created");

-- CreateIndex
CREATE INDEX "Task_tenantID_worktree_idx" ON "Task"("tenantID", "worktree");

-- CreateIndex
CREATE INDEX "Memory_tenantID_number_idx" ON "Memory"("tenantID", "number");

-- CreateIndex
CREATE INDEX "Memory_tenantID_sessionID_idx" ON "Memory"("tenantID", "sessionID");

-- CreateIndex
CREATE INDEX "Memory_tenantID_created_idx" ON "Memory"("tenantID", "created");

-- CreateIndex
CREATE INDEX "Schedule_tenantID_number_idx" ON "Schedule"("tenantID", "number");

-- CreateIndex
CREATE INDEX "Schedule_tenantID_created_idx" ON "Schedule"("tenantID", "created");

-- CreateIndex
CREATE INDEX "Schedule_tenantID_status_nextFireAt_idx" ON "Schedule"("tenantID", "status", "nextFireAt");

-- CreateIndex
CREATE INDEX "ScheduleRun_tenantID_scheduleID_startedAt_idx" ON "ScheduleRun"("tenantID", "scheduleID", "startedAt");

-- CreateIndex
CREATE INDEX "ScheduleRun_tenantID_status_startedAt_idx" ON "ScheduleRun"("tenantID", "status", "startedAt");

-- CreateIndex
CREATE INDEX "ScheduleRun_tenantID_startedAt_idx" ON "ScheduleRun"("tenantID", "startedAt");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_tokenHash_key" ON "ApiToken"("tokenHash");

-- CreateIndex
CREATE INDEX "ApiToken_tenantID_created_idx" ON "ApiToken"("tenantID", "created");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_id_key" ON "ApiToken"("id");
