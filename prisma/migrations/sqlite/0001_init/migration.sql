-- CreateTable
CREATE TABLE "Project" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "directory" TEXT NOT NULL,
    "opened" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id")
);

-- CreateTable
CREATE TABLE "Tree" (
    "tenantID" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "alive" BOOLEAN NOT NULL,

    PRIMARY KEY ("tenantID", "rootID")
);

-- CreateTable
CREATE TABLE "Session" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "parentID" TEXT,
    "projectID" TEXT NOT NULL,
    "depth" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "originCallID" TEXT,
    "cost" REAL NOT NULL,
    "tokens" REAL NOT NULL,
    "created" REAL NOT NULL,
    "updated" REAL NOT NULL,
    "archived" BOOLEAN NOT NULL,
    "seq" INTEGER NOT NULL,
    "createdSeq" INTEGER NOT NULL,
    "todoSeq" INTEGER NOT NULL DEFAULT 0,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Session_tenantID_parentID_fkey" FOREIGN KEY ("tenantID", "parentID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Message" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "summary" BOOLEAN NOT NULL,
    "open" BOOLEAN NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Message_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Part" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "messageID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "toolStatus" TEXT,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Part_tenantID_messageID_fkey" FOREIGN KEY ("tenantID", "messageID") REFERENCES "Message" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Todo" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sessionID" TEXT,
    "rootID" TEXT,
    "status" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Todo_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Turn" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Turn_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PermissionRequest" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "PermissionRequest_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PermissionGrant" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "createdAt" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "PermissionGrant_tenantID_rootID_fkey" FOREIGN KEY ("tenantID", "rootID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Share" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "secretHash" TEXT NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Share_tenantID_rootID_fkey" FOREIGN KEY ("tenantID", "rootID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Removal" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "messageID" TEXT,
    "seq" INTEGER NOT NULL,

    PRIMARY KEY ("tenantID", "id")
);

-- CreateTable
CREATE TABLE "Counter" (
    "tenantID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" INTEGER NOT NULL,

    PRIMARY KEY ("tenantID", "name")
);

-- CreateIndex
CREATE INDEX "Project_tenantID_opened_idx" ON "Project"("tenantID", "opened");

-- CreateIndex
CREATE UNIQUE INDEX "Project_tenantID_directory_key" ON "Project"("tenantID", "directory");

-- CreateIndex
CREATE INDEX "Session_tenantID_rootID_seq_idx" ON "Session"("tenantID", "rootID", "seq");

-- CreateIndex
CREATE INDEX "Session_tenantID_rootID_todoSeq_idx" ON "Session"("tenantID", "rootID", "todoSeq");

-- CreateIndex
CREATE INDEX "Session_tenantID_parentID_originCallID_idx" ON "Session"("tenantID", "parentID", "originCallID");

-- CreateIndex
CREATE INDEX "Session_tenantID_depth_updated_idx" ON "Session"("tenantID", "depth", "updated");

-- CreateIndex
CREATE INDEX "Message_tenantID_sessionID_id_idx" ON "Message"("tenantID", "sessionID", "id");

-- CreateIndex
CREATE INDEX "Message_tenantID_rootID_seq_idx" ON "Message"("tenantID", "rootID", "seq");

-- CreateIndex
CREATE INDEX "Part_tenantID_messageID_id_idx" ON "Part"("tenantID", "messageID", "id");

-- CreateIndex
CREATE INDEX "Part_tenantID_rootID_seq_idx" ON "Part"("tenantID", "rootID", "seq");

-- CreateIndex
CREATE INDEX "Part_tenantID_sessionID_toolStatus_idx" ON "Part"("tenantID", "sessionID", "toolStatus");

-- CreateIndex
CREATE INDEX "Todo_tenantID_sessionID_position_idx" ON "Todo"("tenantID", "sessionID", "position");

-- CreateIndex
CREATE INDEX "Todo_tenantID_rootID_idx" ON "Todo"("tenantID", "rootID");

-- CreateIndex
CREATE INDEX "Todo_tenantID_number_idx" ON "Todo"("tenantID", "number");

-- CreateIndex
CREATE INDEX "Turn_tenantID_rootID_seq_idx" ON "Turn"("tenantID", "rootID", "seq");

-- CreateIndex
CREATE INDEX "Turn_tenantID_sessionID_idx" ON "Turn"("tenantID", "sessionID");

-- CreateIndex
CREATE INDEX "Turn_tenantID_status_created_idx" ON "Turn"("tenantID", "status", "created");

-- CreateIndex
CREATE INDEX "PermissionRequest_tenantID_rootID_seq_idx" ON "PermissionRequest"("tenantID", "rootID", "seq");

-- CreateIndex
CREATE INDEX "PermissionRequest_tenantID_sessionID_idx" ON "PermissionRequest"("tenantID", "sessionID");

-- CreateIndex
CREATE INDEX "PermissionRequest_tenantID_status_created_idx" ON "PermissionRequest"("tenantID", "status", "created");

-- CreateIndex
CREATE INDEX "PermissionGrant_tenantID_rootID_createdAt_idx" ON "PermissionGrant"("tenantID", "rootID", "createdAt");

-- CreateIndex
CREATE INDEX "Share_tenantID_rootID_created_idx" ON "Share"("tenantID", "rootID", "created");

-- CreateIndex
CREATE UNIQUE INDEX "Share_tenantID_secretHash_key" ON "Share"("tenantID", "secretHash");

-- CreateIndex
CREATE INDEX "Removal_tenantID_rootID_seq_idx" ON "Removal"("tenantID", "rootID", "seq");
