-- CreateTable
CREATE TABLE "Node" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hostID" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "started" REAL NOT NULL,
    "seen" REAL NOT NULL,
    "draining" BOOLEAN NOT NULL DEFAULT false,
    "data" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "Host" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "label" TEXT NOT NULL DEFAULT '',
    "seen" REAL NOT NULL,
    "data" TEXT NOT NULL
);

-- AlterTable
ALTER TABLE "Project" ADD COLUMN "place" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Tree" ADD COLUMN "place" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Tree" ADD COLUMN "holder" TEXT NOT NULL DEFAULT '';

-- DropIndex
DROP INDEX "Project_tenantID_directory_key";

-- CreateIndex
CREATE UNIQUE INDEX "Project_tenantID_place_directory_key" ON "Project"("tenantID", "place", "directory");

-- CreateIndex
CREATE INDEX "Node_seen_idx" ON "Node"("seen");
