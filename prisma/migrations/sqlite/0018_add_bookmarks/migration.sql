-- CreateTable
CREATE TABLE "Bookmark" (
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "person" TEXT NOT NULL,
    "created" REAL NOT NULL,
    "data" TEXT NOT NULL,

    PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "Bookmark_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Bookmark_tenantID_sessionID_idx" ON "Bookmark"("tenantID", "sessionID");
