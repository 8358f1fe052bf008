-- CreateTable
CREATE TABLE "ExtensionSwitch" (
    "tenantID" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "projectID" TEXT,
    "changed" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "key")
);

-- CreateTable
CREATE TABLE "ExtensionUse" (
    "tenantID" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "projectID" TEXT,
    "used" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "key")
);

-- CreateIndex
CREATE INDEX "ExtensionUse_tenantID_used_idx" ON "ExtensionUse"("tenantID", "used");
