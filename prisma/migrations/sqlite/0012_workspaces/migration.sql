-- CreateTable
CREATE TABLE "Workspace" (
    "tenantID" TEXT NOT NULL PRIMARY KEY,
    "created" REAL NOT NULL,
    "updated" REAL NOT NULL,
    "data" TEXT NOT NULL
);
