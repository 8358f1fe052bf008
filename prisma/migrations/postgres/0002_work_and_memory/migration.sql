-- AlterTable
ALTER TABLE "Todo" ADD COLUMN     "agent" TEXT COLLATE "C",
ADD COLUMN     "rank" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "updated" DOUBLE PRECISION NOT NULL DEFAULT 0;

-- By pattern: PostgreSQL cannot read JSON that holds a NUL or half a surrogate pair. Quotes within text are escaped.
UPDATE "Todo" SET
    "rank" = CASE "status" WHEN 'in_progress' THEN 0 WHEN 'pending' THEN 1 WHEN 'completed' THEN 2 ELSE 3 END,
    "agent" = substring("data" from '"agent":"([^"\\]*)"'),
    "updated" = substring("data" from '"updated":([0-9.]+)')::double precision;

-- CreateTable
CREATE TABLE "TodoChange" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "todoID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C",
    "at" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "TodoChange_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "Task" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "parentID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "worktree" TEXT COLLATE "C",
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Task_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "Memory" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "projectID" TEXT COLLATE "C",
    "sessionID" TEXT COLLATE "C",
    "type" TEXT COLLATE "C" NOT NULL,
    "tags" TEXT COLLATE "C" NOT NULL,
    "invalidated" BOOLEAN NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Memory_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "Schedule" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "projectID" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "nextFireAt" DOUBLE PRECISION,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Schedule_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "ScheduleRun" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "scheduleID" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "startedAt" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ScheduleRun_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "ApiToken" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "tokenHash" TEXT COLLATE "C" NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("tenantID","id")
);

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

-- CreateIndex
CREATE INDEX "Todo_tenantID_sessionID_rank_position_updated_id_idx" ON "Todo"("tenantID", "sessionID", "rank", "position", "updated" DESC, "id");

-- CreateIndex
CREATE INDEX "Todo_tenantID_rank_position_updated_id_idx" ON "Todo"("tenantID", "rank", "position", "updated" DESC, "id");

-- AddForeignKey
ALTER TABLE "TodoChange" ADD CONSTRAINT "TodoChange_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Task" ADD CONSTRAINT "Task_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Memory" ADD CONSTRAINT "Memory_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ScheduleRun" ADD CONSTRAINT "ScheduleRun_tenantID_scheduleID_fkey" FOREIGN KEY ("tenantID", "scheduleID") REFERENCES "Schedule"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;
