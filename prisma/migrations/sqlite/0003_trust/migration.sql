-- CreateTable
CREATE TABLE "ConfigTrust" (
    "tenantID" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "directory" TEXT NOT NULL,
    "trusted" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "hash")
);

-- CreateIndex
CREATE INDEX "ConfigTrust_tenantID_directory_trusted_idx" ON "ConfigTrust"("tenantID", "directory", "trusted");
