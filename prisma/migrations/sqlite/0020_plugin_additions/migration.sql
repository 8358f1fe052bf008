-- CreateTable
CREATE TABLE "PluginAdditions" (
    "tenantID" TEXT NOT NULL,
    "projectID" TEXT NOT NULL,
    "loaded" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "projectID")
);
