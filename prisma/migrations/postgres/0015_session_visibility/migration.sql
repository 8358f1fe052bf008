-- AlterTable
ALTER TABLE "Session" ADD COLUMN "onlyFor" TEXT COLLATE "C";
