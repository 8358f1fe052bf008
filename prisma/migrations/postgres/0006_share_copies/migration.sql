-- CreateTable
CREATE TABLE "ShareCopy" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "cursor" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "views" INTEGER NOT NULL,
    "viewed" DOUBLE PRECISION,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ShareCopy_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateTable
CREATE TABLE "ShareRow" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "shareID" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "messageID" TEXT COLLATE "C",
    "seq" INTEGER NOT NULL,
    "redacted" INTEGER NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ShareRow_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateIndex
CREATE INDEX "ShareRow_tenantID_shareID_seq_idx" ON "ShareRow"("tenantID", "shareID", "seq");

-- CreateIndex
CREATE INDEX "ShareRow_tenantID_shareID_sessionID_kind_id_idx" ON "ShareRow"("tenantID", "shareID", "sessionID", "kind", "id");

-- CreateIndex
CREATE INDEX "ShareRow_tenantID_shareID_messageID_idx" ON "ShareRow"("tenantID", "shareID", "messageID");

-- CreateIndex
CREATE INDEX "Share_tenantID_created_idx" ON "Share"("tenantID", "created");

-- AddForeignKey
ALTER TABLE "ShareCopy" ADD CONSTRAINT "ShareCopy_tenantID_id_fkey" FOREIGN KEY ("tenantID", "id") REFERENCES "Share"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ShareRow" ADD CONSTRAINT "ShareRow_tenantID_shareID_fkey" FOREIGN KEY ("tenantID", "shareID") REFERENCES "ShareCopy"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;
