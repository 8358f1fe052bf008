-- CreateTable
CREATE TABLE "StandingGrant" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "projectID" TEXT,
    "permission" TEXT NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id")
);

-- CreateIndex
CREATE INDEX "StandingGrant_tenantID_projectID_created_idx" ON "StandingGrant"("tenantID", "projectID", "created");

-- CreateIndex
CREATE INDEX "StandingGrant_tenantID_created_idx" ON "StandingGrant"("tenantID", "created");

-- CreateIndex
CREATE INDEX "PermissionRequest_tenantID_created_idx" ON "PermissionRequest"("tenantID", "created");

-- CreateIndex
CREATE INDEX "PermissionGrant_tenantID_createdAt_idx" ON "PermissionGrant"("tenantID", "createdAt");
