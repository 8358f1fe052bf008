-- AlterTable
ALTER TABLE "ShareCopy" ADD COLUMN     "met" TEXT COLLATE "C" NOT NULL DEFAULT '[]';
