-- CreateTable
CREATE TABLE "ConfigTrust" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "directory" TEXT COLLATE "C" NOT NULL,
    "trusted" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ConfigTrust_pkey" PRIMARY KEY ("tenantID","hash")
);

-- CreateIndex
CREATE INDEX "ConfigTrust_tenantID_directory_trusted_idx" ON "ConfigTrust"("tenantID", "directory", "trusted");
