-- CreateTable
CREATE TABLE "Project" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "directory" TEXT COLLATE "C" NOT NULL,
    "opened" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Project_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "Tree" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "alive" BOOLEAN NOT NULL,

    CONSTRAINT "Tree_pkey" PRIMARY KEY ("tenantID","rootID")
);

-- CreateTable
CREATE TABLE "Session" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "parentID" TEXT COLLATE "C",
    "projectID" TEXT COLLATE "C" NOT NULL,
    "depth" INTEGER NOT NULL,
    "title" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "originCallID" TEXT COLLATE "C",
    "cost" DOUBLE PRECISION NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "updated" DOUBLE PRECISION NOT NULL,
    "archived" BOOLEAN NOT NULL,
    "seq" INTEGER NOT NULL,
    "createdSeq" INTEGER NOT NULL,
    "todoSeq" INTEGER NOT NULL DEFAULT 0,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "Message" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "role" TEXT COLLATE "C" NOT NULL,
    "summary" BOOLEAN NOT NULL,
    "open" BOOLEAN NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Message_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "Part" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "messageID" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "toolStatus" TEXT COLLATE "C",
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Part_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "Todo" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "sessionID" TEXT COLLATE "C",
    "rootID" TEXT COLLATE "C",
    "status" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Todo_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "Turn" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "epoch" INTEGER NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Turn_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "PermissionRequest" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "PermissionRequest_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "PermissionGrant" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "createdAt" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "PermissionGrant_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "Share" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "secretHash" TEXT COLLATE "C" NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Share_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "Removal" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "messageID" TEXT COLLATE "C",
    "seq" INTEGER NOT NULL,

    CONSTRAINT "Removal_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "Counter" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "value" INTEGER NOT NULL,

    CONSTRAINT "Counter_pkey" PRIMARY KEY ("tenantID","name")
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

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_tenantID_parentID_fkey" FOREIGN KEY ("tenantID", "parentID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Message" ADD CONSTRAINT "Message_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Part" ADD CONSTRAINT "Part_tenantID_messageID_fkey" FOREIGN KEY ("tenantID", "messageID") REFERENCES "Message"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Todo" ADD CONSTRAINT "Todo_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Turn" ADD CONSTRAINT "Turn_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PermissionRequest" ADD CONSTRAINT "PermissionRequest_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PermissionGrant" ADD CONSTRAINT "PermissionGrant_tenantID_rootID_fkey" FOREIGN KEY ("tenantID", "rootID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Share" ADD CONSTRAINT "Share_tenantID_rootID_fkey" FOREIGN KEY ("tenantID", "rootID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;
