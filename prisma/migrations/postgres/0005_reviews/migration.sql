-- CreateTable
CREATE TABLE "ReviewThread" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "taskID" TEXT COLLATE "C",
    "seq" INTEGER NOT NULL,
    "anchor" TEXT COLLATE "C" NOT NULL,
    "person" TEXT COLLATE "C" NOT NULL,
    "resolved" BOOLEAN NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ReviewThread_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "ReviewComment" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "threadID" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "person" TEXT COLLATE "C" NOT NULL,
    "asks" TEXT COLLATE "C",
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ReviewComment_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "ReviewVerdict" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "taskID" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "person" TEXT COLLATE "C" NOT NULL,
    "verdict" TEXT COLLATE "C" NOT NULL,
    "withdrawn" BOOLEAN NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ReviewVerdict_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "ReviewViewed" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "taskID" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "person" TEXT COLLATE "C" NOT NULL,
    "viewed" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ReviewViewed_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "ReviewDraft" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "person" TEXT COLLATE "C" NOT NULL,
    "updated" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ReviewDraft_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateIndex
CREATE INDEX "ReviewThread_tenantID_rootID_seq_idx" ON "ReviewThread"("tenantID", "rootID", "seq");

-- CreateIndex
CREATE INDEX "ReviewThread_tenantID_sessionID_idx" ON "ReviewThread"("tenantID", "sessionID");

-- CreateIndex
CREATE INDEX "ReviewComment_tenantID_rootID_seq_idx" ON "ReviewComment"("tenantID", "rootID", "seq");

-- CreateIndex
CREATE INDEX "ReviewComment_tenantID_sessionID_idx" ON "ReviewComment"("tenantID", "sessionID");

-- CreateIndex
CREATE INDEX "ReviewComment_tenantID_asks_idx" ON "ReviewComment"("tenantID", "asks");

-- CreateIndex
CREATE INDEX "ReviewVerdict_tenantID_rootID_seq_idx" ON "ReviewVerdict"("tenantID", "rootID", "seq");

-- CreateIndex
CREATE INDEX "ReviewVerdict_tenantID_sessionID_idx" ON "ReviewVerdict"("tenantID", "sessionID");

-- CreateIndex
CREATE INDEX "ReviewVerdict_tenantID_taskID_person_idx" ON "ReviewVerdict"("tenantID", "taskID", "person");

-- CreateIndex
CREATE INDEX "ReviewViewed_tenantID_rootID_seq_idx" ON "ReviewViewed"("tenantID", "rootID", "seq");

-- CreateIndex
CREATE INDEX "ReviewViewed_tenantID_sessionID_idx" ON "ReviewViewed"("tenantID", "sessionID");

-- CreateIndex
CREATE INDEX "ReviewDraft_tenantID_sessionID_idx" ON "ReviewDraft"("tenantID", "sessionID");

-- CreateIndex
CREATE INDEX "ReviewDraft_tenantID_person_rootID_idx" ON "ReviewDraft"("tenantID", "person", "rootID");

-- CreateIndex
CREATE INDEX "Task_tenantID_ended_idx" ON "Task"("tenantID", "ended");

-- AddForeignKey
ALTER TABLE "ReviewThread" ADD CONSTRAINT "ReviewThread_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReviewComment" ADD CONSTRAINT "ReviewComment_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReviewVerdict" ADD CONSTRAINT "ReviewVerdict_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReviewViewed" ADD CONSTRAINT "ReviewViewed_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReviewDraft" ADD CONSTRAINT "ReviewDraft_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;
