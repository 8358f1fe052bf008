-- CreateTable
CREATE TABLE "ReviewThread" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "taskID" TEXT,
    "seq" INTEGER NOT NULL,
    "anchor" TEXT NOT NULL,
    "person" TEXT NOT NULL,
    "resolved" BOOLEAN NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "ReviewThread_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ReviewComment" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "threadID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "person" TEXT NOT NULL,
    "asks" TEXT,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "ReviewComment_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ReviewVerdict" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "taskID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "person" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "withdrawn" BOOLEAN NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "ReviewVerdict_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ReviewViewed" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "taskID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "person" TEXT NOT NULL,
    "viewed" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "ReviewViewed_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ReviewDraft" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "person" TEXT NOT NULL,
    "updated" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "ReviewDraft_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
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
