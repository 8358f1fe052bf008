-- CreateTable
CREATE TABLE "Secret" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "sealed" TEXT COLLATE "C" NOT NULL,
    "updated" DOUBLE PRECISION NOT NULL,
    "holder" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "until" DOUBLE PRECISION NOT NULL DEFAULT 0,

    CONSTRAINT "Secret_pkey" PRIMARY KEY ("tenantID","kind","name")
);
