-- CreateTable
CREATE TABLE "Workspace" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "updated" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Workspace_pkey" PRIMARY KEY ("tenantID")
);
