-- CreateTable
CREATE TABLE "Attachment" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "mime" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "size" REAL NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Attachment_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Attachment_tenantID_hash_idx" ON "Attachment"("tenantID", "hash");

-- CreateIndex
CREATE INDEX "Attachment_tenantID_rootID_hash_idx" ON "Attachment"("tenantID", "rootID", "hash");

-- CreateIndex
CREATE INDEX "Attachment_tenantID_sessionID_idx" ON "Attachment"("tenantID", "sessionID");
