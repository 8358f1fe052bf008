-- CreateTable
CREATE TABLE "ShareCopy" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "cursor" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "views" INTEGER NOT NULL,
    "viewed" REAL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "ShareCopy_tenantID_id_fkey" FOREIGN KEY ("tenantID", "id") REFERENCES "Share" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ShareRow" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "shareID" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "messageID" TEXT,
    "seq" INTEGER NOT NULL,
    "redacted" INTEGER NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "ShareRow_tenantID_shareID_fkey" FOREIGN KEY ("tenantID", "shareID") REFERENCES "ShareCopy" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ShareRow_tenantID_shareID_seq_idx" ON "ShareRow"("tenantID", "shareID", "seq");

-- CreateIndex
CREATE INDEX "ShareRow_tenantID_shareID_sessionID_kind_id_idx" ON "ShareRow"("tenantID", "shareID", "sessionID", "kind", "id");

-- CreateIndex
CREATE INDEX "ShareRow_tenantID_shareID_messageID_idx" ON "ShareRow"("tenantID", "shareID", "messageID");

-- CreateIndex
CREATE INDEX "Share_tenantID_created_idx" ON "Share"("tenantID", "created");
