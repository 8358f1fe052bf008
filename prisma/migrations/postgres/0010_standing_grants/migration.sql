-- CreateTable
CREATE TABLE "StandingGrant" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "projectID" TEXT COLLATE "C",
    "permission" TEXT COLLATE "C" NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "StandingGrant_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateIndex
CREATE INDEX "StandingGrant_tenantID_projectID_created_idx" ON "StandingGrant"("tenantID", "projectID", "created");

-- CreateIndex
CREATE INDEX "StandingGrant_tenantID_created_idx" ON "StandingGrant"("tenantID", "created");

-- CreateIndex
CREATE INDEX "PermissionRequest_tenantID_created_idx" ON "PermissionRequest"("tenantID", "created");

-- CreateIndex
CREATE INDEX "PermissionGrant_tenantID_createdAt_idx" ON "PermissionGrant"("tenantID", "createdAt");
