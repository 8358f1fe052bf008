-- AlterTable
ALTER TABLE "AuthInvitation" ADD COLUMN "madeBy" TEXT;
