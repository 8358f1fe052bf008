-- CreateTable
CREATE TABLE "Content" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "size" REAL NOT NULL,
    "isStored" BOOLEAN NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Content_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Content_tenantID_hash_idx" ON "Content"("tenantID", "hash");

-- CreateIndex
CREATE INDEX "Content_tenantID_rootID_kind_name_idx" ON "Content"("tenantID", "rootID", "kind", "name");

-- CreateIndex
CREATE INDEX "Content_tenantID_kind_name_idx" ON "Content"("tenantID", "kind", "name");

-- CreateIndex
CREATE INDEX "Content_tenantID_sessionID_idx" ON "Content"("tenantID", "sessionID");
