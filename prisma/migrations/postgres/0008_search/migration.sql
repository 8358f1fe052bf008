-- The index of the search. No models: Prisma knows neither these tables nor their keys.

-- What can be found. "terms" are its words, cut and folded before they come here; "words" and "files" have them in
-- their order, for phrases.
CREATE TABLE "SearchRow" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "at" DOUBLE PRECISION NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "messageID" TEXT COLLATE "C",
    "partID" TEXT COLLATE "C",
    "state" TEXT COLLATE "C",
    "words" TEXT COLLATE "C" NOT NULL,
    "files" TEXT COLLATE "C" NOT NULL,
    "terms" tsvector NOT NULL,

    CONSTRAINT "SearchRow_pkey" PRIMARY KEY ("tenantID", "id"),
    CONSTRAINT "SearchRow_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "SearchRow_tenantID_partID_fkey" FOREIGN KEY ("tenantID", "partID") REFERENCES "Part"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "SearchRow_tenantID_at_id_idx" ON "SearchRow"("tenantID", "at", "id");
CREATE INDEX "SearchRow_tenantID_sessionID_idx" ON "SearchRow"("tenantID", "sessionID");
CREATE INDEX "SearchRow_tenantID_partID_idx" ON "SearchRow"("tenantID", "partID");
CREATE INDEX "SearchRow_terms_idx" ON "SearchRow" USING GIN ("terms");

-- How far each tree is in the index.
CREATE TABLE "SearchCursor" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "rootID" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,

    CONSTRAINT "SearchCursor_pkey" PRIMARY KEY ("tenantID", "rootID"),
    CONSTRAINT "SearchCursor_tenantID_rootID_fkey" FOREIGN KEY ("tenantID", "rootID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
