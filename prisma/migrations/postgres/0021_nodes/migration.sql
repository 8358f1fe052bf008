-- DropIndex
DROP INDEX "Project_tenantID_directory_key";

-- AlterTable
ALTER TABLE "Project" ADD COLUMN     "place" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Tree" ADD COLUMN     "holder" TEXT COLLATE "C" NOT NULL DEFAULT '',
ADD COLUMN     "place" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "Node" (
    "id" TEXT COLLATE "C" NOT NULL,
    "hostID" TEXT COLLATE "C" NOT NULL,
    "role" TEXT COLLATE "C" NOT NULL,
    "version" TEXT COLLATE "C" NOT NULL,
    "started" DOUBLE PRECISION NOT NULL,
    "seen" DOUBLE PRECISION NOT NULL,
    "draining" BOOLEAN NOT NULL DEFAULT false,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Node_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Host" (
    "id" TEXT COLLATE "C" NOT NULL,
    "label" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "seen" DOUBLE PRECISION NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Host_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Node_seen_idx" ON "Node"("seen");

-- CreateIndex
CREATE UNIQUE INDEX "Project_tenantID_place_directory_key" ON "Project"("tenantID", "place", "directory");
