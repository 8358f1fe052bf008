-- AlterTable
ALTER TABLE "AuthUser" ADD COLUMN "isOperator" BOOLEAN DEFAULT false;

-- CreateIndex
CREATE INDEX "Share_secretHash_idx" ON "Share"("secretHash");
