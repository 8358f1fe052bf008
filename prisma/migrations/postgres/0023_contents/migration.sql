-- CreateTable
CREATE TABLE "Content" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "size" DOUBLE PRECISION NOT NULL,
    "isStored" BOOLEAN NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Content_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateIndex
CREATE INDEX "Content_tenantID_hash_idx" ON "Content"("tenantID", "hash");

-- CreateIndex
CREATE INDEX "Content_tenantID_rootID_kind_name_idx" ON "Content"("tenantID", "rootID", "kind", "name");

-- CreateIndex
CREATE INDEX "Content_tenantID_kind_name_idx" ON "Content"("tenantID", "kind", "name");

-- CreateIndex
CREATE INDEX "Content_tenantID_sessionID_idx" ON "Content"("tenantID", "sessionID");

-- AddForeignKey
ALTER TABLE "Content" ADD CONSTRAINT "Content_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;
