-- The index of the search. No models: Prisma knows neither these tables nor their keys.

-- What can be found. "place" ascends with time, and is the row of "SearchText".
CREATE TABLE "SearchRow" (
    "place" INTEGER NOT NULL PRIMARY KEY,
    "tenantID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "at" REAL NOT NULL,
    "rootID" TEXT NOT NULL,
    "sessionID" TEXT NOT NULL,
    "messageID" TEXT,
    "partID" TEXT,
    "state" TEXT,
    CONSTRAINT "SearchRow_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "SearchRow_tenantID_partID_fkey" FOREIGN KEY ("tenantID", "partID") REFERENCES "Part" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "SearchRow_tenantID_id_key" ON "SearchRow"("tenantID", "id");
CREATE INDEX "SearchRow_tenantID_sessionID_idx" ON "SearchRow"("tenantID", "sessionID");
CREATE INDEX "SearchRow_tenantID_partID_idx" ON "SearchRow"("tenantID", "partID");

-- Its words, which are cut and folded before they come here. The text itself stands in "Part".
CREATE VIRTUAL TABLE "SearchText" USING fts5("words", "files", "facets", content='', contentless_delete=1, tokenize='ascii', prefix='1 2 3 4');

CREATE TRIGGER "SearchRow_deleted" AFTER DELETE ON "SearchRow" BEGIN
    DELETE FROM "SearchText" WHERE "rowid" = old."place";
END;

-- How far each tree is in the index.
CREATE TABLE "SearchCursor" (
    "tenantID" TEXT NOT NULL,
    "rootID" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,

    PRIMARY KEY ("tenantID", "rootID"),
    CONSTRAINT "SearchCursor_tenantID_rootID_fkey" FOREIGN KEY ("tenantID", "rootID") REFERENCES "Session" ("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
