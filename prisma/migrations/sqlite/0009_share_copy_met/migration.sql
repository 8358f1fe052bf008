-- By hand: the table stays, so that no row of a copy goes with it.
ALTER TABLE "ShareCopy" ADD COLUMN "met" TEXT NOT NULL DEFAULT '[]';
