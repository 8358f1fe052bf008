-- CreateTable
CREATE TABLE "ExtensionSwitch" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "projectID" TEXT COLLATE "C",
    "changed" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ExtensionSwitch_pkey" PRIMARY KEY ("tenantID","key")
);

-- CreateTable
CREATE TABLE "ExtensionUse" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "projectID" TEXT COLLATE "C",
    "used" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ExtensionUse_pkey" PRIMARY KEY ("tenantID","key")
);

-- CreateIndex
CREATE INDEX "ExtensionUse_tenantID_used_idx" ON "ExtensionUse"("tenantID", "used");
