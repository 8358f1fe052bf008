-- CreateTable
CREATE TABLE "Secret" (
    "tenantID" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "updated" REAL NOT NULL,
    "holder" TEXT NOT NULL DEFAULT '',
    "until" REAL NOT NULL DEFAULT 0,

    PRIMARY KEY ("tenantID", "kind", "name")
);
