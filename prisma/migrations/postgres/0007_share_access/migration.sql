-- AlterTable
ALTER TABLE "ShareCopy" ADD COLUMN     "known" TEXT COLLATE "C" NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "ShareRow" ADD COLUMN     "hidden" TEXT COLLATE "C" NOT NULL DEFAULT '{}';

-- What it was is not known of older rows.
UPDATE "ShareRow" SET "hidden" = '{"finding":' || "redacted" || '}' WHERE "redacted" > 0;

-- AlterTable
ALTER TABLE "ShareRow" DROP COLUMN "redacted";
