-- By hand: both tables stay, so that no row of a copy goes with the one it hangs on.
ALTER TABLE "ShareCopy" ADD COLUMN "known" TEXT NOT NULL DEFAULT '[]';

ALTER TABLE "ShareRow" ADD COLUMN "hidden" TEXT NOT NULL DEFAULT '{}';

-- What it was is not known of older rows.
UPDATE "ShareRow" SET "hidden" = '{"finding":' || "redacted" || '}' WHERE "redacted" > 0;

ALTER TABLE "ShareRow" DROP COLUMN "redacted";
