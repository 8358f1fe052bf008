-- CreateTable
CREATE TABLE "PluginAdditions" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "projectID" TEXT COLLATE "C" NOT NULL,
    "loaded" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "PluginAdditions_pkey" PRIMARY KEY ("tenantID","projectID")
);
