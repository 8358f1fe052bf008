-- CreateTable
CREATE TABLE "Bookmark" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "sessionID" TEXT COLLATE "C" NOT NULL,
    "person" TEXT COLLATE "C" NOT NULL,
    "created" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Bookmark_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateIndex
CREATE INDEX "Bookmark_tenantID_sessionID_idx" ON "Bookmark"("tenantID", "sessionID");

-- AddForeignKey
ALTER TABLE "Bookmark" ADD CONSTRAINT "Bookmark_tenantID_sessionID_fkey" FOREIGN KEY ("tenantID", "sessionID") REFERENCES "Session"("tenantID", "id") ON DELETE CASCADE ON UPDATE CASCADE;
