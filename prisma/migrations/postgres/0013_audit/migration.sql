-- CreateTable
CREATE TABLE "AuditEntry" (
    "tenantID" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "at" DOUBLE PRECISION NOT NULL,
    "act" TEXT COLLATE "C" NOT NULL,
    "person" TEXT COLLATE "C",
    "text" TEXT COLLATE "C" NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("tenantID","id")
);

-- CreateIndex
CREATE INDEX "AuditEntry_tenantID_at_idx" ON "AuditEntry"("tenantID", "at");

-- CreateIndex
CREATE INDEX "AuditEntry_tenantID_person_id_idx" ON "AuditEntry"("tenantID", "person", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_tenantID_act_id_idx" ON "AuditEntry"("tenantID", "act", "id");

-- What was written stays as it is: nothing of this service changes a row, and no mistake shall.
CREATE FUNCTION "AuditEntry_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'entries of the audit log are not changed';
END $$;
CREATE TRIGGER "AuditEntry_stays" BEFORE UPDATE ON "AuditEntry" FOR EACH ROW EXECUTE FUNCTION "AuditEntry_stays"();
