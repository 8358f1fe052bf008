-- CreateTable
CREATE TABLE "Attachment" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "mime" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "size" DOUBLE PRECISION NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Attachment_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateIndex
CREATE INDEX "Attachment_tenantID_hash_idx" ON "Attachment"("tenantID", "hash");

-- CreateIndex
CREATE INDEX "Attachment_tenantID_rootID_hash_idx" ON "Attachment"("tenantID", "rootID", "hash");

-- CreateIndex
CREATE INDEX "Attachment_tenantID_sessionID_idx" ON "Attachment"("tenantID", "sessionID");

-- AddForeignKey
ALTER TABLE "Attachment" ADD CONSTRAINT "Attachment_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;
